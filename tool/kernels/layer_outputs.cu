#include "tool/kernels/families.hpp"
#include "tool/kernels/layer_outputs.hpp"
#include "tool/kernels/shipped.hpp"

namespace sectile::tool {

std::span<const kernel_facts> layer_outputs_kernels() {
  static const std::vector<kernel_facts> list = all_shipped([](auto use) { each_of_layer_outputs(use); });
  return list;
}

}  // namespace sectile::tool
