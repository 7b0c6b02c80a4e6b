#include "tool/kernels/layers.hpp"
#include "tool/kernels/recorded.hpp"

namespace sectile::tool {

std::vector<recorded_kernel> layers_records() {
  return all_recorded([](auto use) { each_of_layers(use); });
}

}  // namespace sectile::tool
