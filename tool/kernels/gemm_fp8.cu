#include "tool/kernels/families.hpp"
#include "tool/kernels/gemm_fp8.hpp"
#include "tool/kernels/shipped.hpp"

namespace sectile::tool {

std::span<const kernel_facts> gemm_fp8_kernels() {
  static const std::vector<kernel_facts> list = all_shipped([](auto use) { each_of_gemm_fp8(use); });
  return list;
}

}  // namespace sectile::tool
