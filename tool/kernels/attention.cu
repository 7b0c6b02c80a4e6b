#include "tool/kernels/attention.hpp"
#include "tool/kernels/families.hpp"
#include "tool/kernels/shipped.hpp"

namespace sectile::tool {
namespace {

template <int D, kernels::attention_mask Mask>
attention_mask mask_of(kernel_type<kernels::attention<D, Mask>>) {
  return Mask == kernels::attention_mask::causal ? attention_mask::causal : attention_mask::none;
}

}  // namespace

std::span<const kernel_facts> attention_kernels() {
  static const std::vector<kernel_facts> list = [] {
    std::vector<kernel_facts> all;
    each_of_attention([&all](auto type, std::string_view name, std::string_view summary) {
      kernel_facts& facts = all.emplace_back(shipped<typename decltype(type)::type>(name, summary));
      facts.family = kernel_family::attention;
      facts.mask = mask_of(type);
    });
    return all;
  }();
  return list;
}

}  // namespace sectile::tool
