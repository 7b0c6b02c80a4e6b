#include "tool/kernels/families.hpp"
#include "tool/kernels/gemm_bf16.hpp"
#include "tool/kernels/shipped.hpp"

namespace sectile::tool {

std::span<const kernel_facts> gemm_bf16_forms_kernels() {
  static const std::vector<kernel_facts> list = all_shipped([](auto use) { each_of_gemm_bf16_forms(use); });
  return list;
}

}  // namespace sectile::tool
