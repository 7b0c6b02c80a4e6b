#include "tool/kernels/attention.hpp"
#include "tool/kernels/recorded.hpp"

namespace sectile::tool {

std::vector<recorded_kernel> attention_records() {
  return all_recorded([](auto use) { each_of_attention(use); });
}

}  // namespace sectile::tool
