#include "tool/kernels/families.hpp"
#include "tool/kernels/shipped.hpp"
#include "tool/kernels/sparse_8bit.hpp"

namespace sectile::tool {

std::span<const kernel_facts> sparse_8bit_kernels() {
  static const std::vector<kernel_facts> list = all_shipped([](auto use) { each_of_sparse_8bit(use); });
  return list;
}

}  // namespace sectile::tool
