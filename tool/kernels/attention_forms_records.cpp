#include "tool/kernels/attention.hpp"
#include "tool/kernels/recorded.hpp"

namespace sectile::tool {

std::vector<recorded_kernel> attention_forms_records() {
  return all_recorded([](auto use) { each_of_attention_forms(use); });
}

}  // namespace sectile::tool
