#include "tool/kernels/gemm_bf16.hpp"
#include "tool/kernels/recorded.hpp"

namespace sectile::tool {

std::vector<recorded_kernel> gemm_bf16_forms_records() {
  return all_recorded([](auto use) { each_of_gemm_bf16_forms(use); });
}

}  // namespace sectile::tool
