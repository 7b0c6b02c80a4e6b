#include "tool/kernels/recorded.hpp"
#include "tool/kernels/sparse_8bit.hpp"

namespace sectile::tool {

std::vector<recorded_kernel> sparse_8bit_records() {
  return all_recorded([](auto use) { each_of_sparse_8bit(use); });
}

}  // namespace sectile::tool
