#include "tool/kernels/gemm_fp8.hpp"
#include "tool/kernels/recorded.hpp"

namespace sectile::tool {

std::vector<recorded_kernel> gemm_fp8_records() {
  return all_recorded([](auto use) { each_of_gemm_fp8(use); });
}

}  // namespace sectile::tool
