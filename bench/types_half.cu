// Rows of bench/types.cu: 16-bit floats.
#include "bench/measure_types.hpp"

void sectile::bench::add_half_cases(case_list& to) {
  to.dense.push_back({"f16", measure_dense<f16, f16, f16>});
  to.dense.push_back({"f16, f16 sums", measure_dense<f16, f16, f16, f16>});
  to.dense.push_back({"bf16", measure_dense<bf16, bf16, bf16>});
  to.sparse.push_back({"f16", measure_sparse<f16, f16, f16>});
  to.sparse.push_back({"bf16", measure_sparse<bf16, bf16, bf16>});
}
