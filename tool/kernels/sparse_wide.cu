#include "tool/kernels/families.hpp"
#include "tool/kernels/shipped.hpp"
#include "tool/kernels/sparse_wide.hpp"

namespace sectile::tool {

std::span<const kernel_facts> sparse_wide_kernels() {
  static const std::vector<kernel_facts> list = all_shipped([](auto use) { each_of_sparse_wide(use); });
  return list;
}

}  // namespace sectile::tool
