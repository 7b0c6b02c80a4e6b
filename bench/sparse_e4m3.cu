// Rows of bench/sparse.cu: e4m3 to bf16.
#include <sectile/kernels/sparse_gemm_family.hpp>

#include "bench/measure_types.hpp"
#include "bench/sparse.hpp"

sectile::bench::sparse_case sectile::bench::sparse_e4m3_case() {
  return {"e4m3 -> bf16", measure_sparse<e4m3, e4m3, bf16, kernels::sparse_gemm_e4m3_family>};
}
