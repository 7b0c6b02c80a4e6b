#include "tool/kernels/convolutions.hpp"
#include "tool/kernels/families.hpp"
#include "tool/kernels/shipped.hpp"

namespace sectile::tool {

std::span<const kernel_facts> convolutions_kernels() {
  static const std::vector<kernel_facts> list = all_shipped([](auto use) { each_of_convolutions(use); });
  return list;
}

}  // namespace sectile::tool
