// Rows of bench/types.cu: 8-bit floats.
#include "bench/measure_types.hpp"

void sectile::bench::add_fp8_cases(case_list& to) {
  to.dense.push_back({"e4m3 -> bf16", measure_dense<e4m3, e4m3, bf16>});
  to.dense.push_back({"e5m2 x e4m3 -> bf16", measure_dense<e5m2, e4m3, bf16>});
  to.sparse.push_back({"e4m3 -> bf16", measure_sparse<e4m3, e4m3, bf16>});
}
