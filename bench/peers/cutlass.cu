// libpeer_cutlass: CUTLASS's kernels as products.
#include <cutlass/version.h>

#include "bench/peers/cutlass_lists.hpp"

namespace sectile::bench {

std::unique_ptr<product> make_product(product_type type, const shape& size) {
  cutlass_list all;
  switch (type) {
    case product_type::bf16:
      add_bf16_kernels(all), add_bf16_stream_k(all);
      break;
    case product_type::e4m3:
      add_e4m3_kernels(all), add_e4m3_stream_k(all);
      break;
    case product_type::s8:
      add_s8_kernels(all), add_s8_stream_k(all);
      break;
    case product_type::sparse_bf16:
      return make_cutlass_sparse(size);
  }
  return std::make_unique<cutlass_product>(size, std::move(all));
}
std::string library_name() {
  return "CUTLASS " + std::to_string(CUTLASS_MAJOR) + "." + std::to_string(CUTLASS_MINOR) + "." +
         std::to_string(CUTLASS_PATCH);
}

}  // namespace sectile::bench
