#include "tool/kernels/convolutions.hpp"
#include "tool/kernels/recorded.hpp"

namespace sectile::tool {

std::vector<recorded_kernel> convolutions_records() {
  return all_recorded([](auto use) { each_of_convolutions(use); });
}

}  // namespace sectile::tool
