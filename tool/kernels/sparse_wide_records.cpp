#include "tool/kernels/recorded.hpp"
#include "tool/kernels/sparse_wide.hpp"

namespace sectile::tool {

std::vector<recorded_kernel> sparse_wide_records() {
  return all_recorded([](auto use) { each_of_sparse_wide(use); });
}

}  // namespace sectile::tool
