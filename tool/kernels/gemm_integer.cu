#include "tool/kernels/families.hpp"
#include "tool/kernels/gemm_integer.hpp"
#include "tool/kernels/shipped.hpp"

namespace sectile::tool {

std::span<const kernel_facts> gemm_integer_kernels() {
  static const std::vector<kernel_facts> list = all_shipped([](auto use) { each_of_gemm_integer(use); });
  return list;
}

}  // namespace sectile::tool
