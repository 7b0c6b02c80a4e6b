#include "tool/kernels/gemm_f16_tf32.hpp"
#include "tool/kernels/recorded.hpp"

namespace sectile::tool {

std::vector<recorded_kernel> gemm_f16_tf32_records() {
  return all_recorded([](auto use) { each_of_gemm_f16_tf32(use); });
}

}  // namespace sectile::tool
