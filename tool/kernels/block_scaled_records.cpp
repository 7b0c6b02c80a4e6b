#include "tool/kernels/block_scaled.hpp"
#include "tool/kernels/recorded.hpp"

namespace sectile::tool {

std::vector<recorded_kernel> block_scaled_records() {
  return all_recorded([](auto use) { each_of_block_scaled(use); });
}

}  // namespace sectile::tool
