#include "tool/kernels/attention_gradients.hpp"
#include "tool/kernels/recorded.hpp"

namespace sectile::tool {

std::vector<recorded_kernel> attention_gradients_records() {
  return all_recorded([](auto use) { each_of_attention_gradients(use); });
}

}  // namespace sectile::tool
