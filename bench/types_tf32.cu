// Rows of bench/types.cu: tf32.
#include "bench/measure_types.hpp"

void sectile::bench::add_tf32_cases(case_list& to) {
  to.dense.push_back({"tf32 -> f32", measure_dense<tf32, tf32, float>});
  to.sparse.push_back({"tf32 -> f32", measure_sparse<tf32, tf32, float>});
}
