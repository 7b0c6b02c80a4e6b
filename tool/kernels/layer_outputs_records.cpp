#include "tool/kernels/layer_outputs.hpp"
#include "tool/kernels/recorded.hpp"

namespace sectile::tool {

std::vector<recorded_kernel> layer_outputs_records() {
  return all_recorded([](auto use) { each_of_layer_outputs(use); });
}

}  // namespace sectile::tool
