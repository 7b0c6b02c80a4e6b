#include "tool/kernels/gemm_integer.hpp"
#include "tool/kernels/recorded.hpp"

namespace sectile::tool {

std::vector<recorded_kernel> gemm_integer_records() {
  return all_recorded([](auto use) { each_of_gemm_integer(use); });
}

}  // namespace sectile::tool
