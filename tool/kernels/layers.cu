#include "tool/kernels/families.hpp"
#include "tool/kernels/layers.hpp"
#include "tool/kernels/shipped.hpp"

namespace sectile::tool {

std::span<const kernel_facts> layers_kernels() {
  static const std::vector<kernel_facts> list = all_shipped([](auto use) { each_of_layers(use); });
  return list;
}

}  // namespace sectile::tool
