#include "tool/kernels/ladder.hpp"
#include "tool/kernels/recorded.hpp"

namespace sectile::tool {

std::vector<recorded_kernel> ladder_records() {
  return all_recorded([](auto use) { each_of_ladder(use); });
}

}  // namespace sectile::tool
