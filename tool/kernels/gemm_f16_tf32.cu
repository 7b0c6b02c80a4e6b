#include "tool/kernels/families.hpp"
#include "tool/kernels/gemm_f16_tf32.hpp"
#include "tool/kernels/shipped.hpp"

namespace sectile::tool {

std::span<const kernel_facts> gemm_f16_tf32_kernels() {
  static const std::vector<kernel_facts> list = all_shipped([](auto use) { each_of_gemm_f16_tf32(use); });
  return list;
}

}  // namespace sectile::tool
