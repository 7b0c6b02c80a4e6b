#include "tool/kernels/attention_gradients.hpp"
#include "tool/kernels/families.hpp"
#include "tool/kernels/shipped.hpp"

namespace sectile::tool {

std::span<const kernel_facts> attention_gradients_kernels() {
  static const std::vector<kernel_facts> list = all_shipped([](auto use) { each_of_attention_gradients(use); });
  return list;
}

}  // namespace sectile::tool
