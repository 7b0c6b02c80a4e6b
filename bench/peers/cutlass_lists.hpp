// The kernels of CUTLASS by files, which are compiled side by side.
#pragma once
#include "bench/peers/cutlass.hpp"

namespace sectile::bench {

void add_bf16_kernels(cutlass_list& to);
void add_e4m3_kernels(cutlass_list& to);
void add_s8_kernels(cutlass_list& to);

void add_bf16_stream_k(cutlass_list& to);
void add_e4m3_stream_k(cutlass_list& to);
void add_s8_stream_k(cutlass_list& to);

/// Of bf16 with a sparse A.
std::unique_ptr<product> make_cutlass_sparse(const shape& size);

}  // namespace sectile::bench
