// Rows of bench/sparse.cu: bf16.
#include <sectile/kernels/sparse_gemm_family.hpp>

#include "bench/measure_types.hpp"
#include "bench/sparse.hpp"

sectile::bench::sparse_case sectile::bench::sparse_bf16_case() {
  return {"bf16", measure_sparse<bf16, bf16, bf16, kernels::sparse_gemm_bf16_family>};
}
