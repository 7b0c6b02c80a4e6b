// Rows of bench/sparse.cu: s8 to s32.
#include <sectile/kernels/sparse_gemm_family.hpp>

#include "bench/measure_types.hpp"
#include "bench/sparse.hpp"

sectile::bench::sparse_case sectile::bench::sparse_s8_case() {
  return {"s8 -> s32", measure_sparse<s8, s8, s32, kernels::sparse_gemm_s8_family>};
}
