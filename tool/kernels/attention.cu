// Attention.
#include <sectile/kernels/attention.hpp>

#include "tool/kernels/families.hpp"
#include "tool/kernels/shipped.hpp"

namespace sectile::tool {
namespace {

template <int D, kernels::attention_mask Mask>
kernel_facts attention(std::string_view name, std::string_view summary) {
  kernel_facts facts = shipped<kernels::attention<D, Mask>>(name, summary);
  facts.family = kernel_family::attention;
  facts.mask = Mask == kernels::attention_mask::causal ? attention_mask::causal : attention_mask::none;
  return facts;
}

}  // namespace

std::span<const kernel_facts> attention_kernels() {
  using kernels::attention_mask;
  static const kernel_facts list[] = {
      attention<64, attention_mask::none>("attention_d64",
                                          "O = softmax(Q K^T / sqrt(D)) V in bf16, head dimension D = 64"),
      attention<128, attention_mask::none>("attention_d128", "the same for D = 128"),
      attention<64, attention_mask::causal>("attention_d64_causal",
                                            "the same for D = 64, each row sees only the columns up to its own"),
      attention<128, attention_mask::causal>("attention_d128_causal",
                                             "the same for D = 128, each row sees only the columns up to its own"),
  };
  return list;
}

}  // namespace sectile::tool
