// Rows of bench/sparse.cu: f16.
#include <sectile/kernels/sparse_gemm_family.hpp>

#include "bench/measure_types.hpp"
#include "bench/sparse.hpp"

sectile::bench::sparse_case sectile::bench::sparse_f16_case() {
  return {"f16", measure_sparse<f16, f16, f16, kernels::sparse_gemm_f16_family>};
}
