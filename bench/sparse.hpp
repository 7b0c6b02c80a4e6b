// The rows of bench/sparse.cu. The members of a family take a compiler a while, so each has a file.
#pragma once
#include "bench/types.hpp"

namespace sectile::bench {

sparse_case sparse_f16_case();
sparse_case sparse_bf16_case();
sparse_case sparse_e4m3_case();
sparse_case sparse_s8_case();

}  // namespace sectile::bench
