#include "tool/kernels/block_scaled.hpp"
#include "tool/kernels/families.hpp"
#include "tool/kernels/shipped.hpp"

namespace sectile::tool {

std::span<const kernel_facts> block_scaled_kernels() {
  static const std::vector<kernel_facts> list = all_shipped([](auto use) { each_of_block_scaled(use); });
  return list;
}

}  // namespace sectile::tool
