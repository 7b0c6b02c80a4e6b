// The operands of the ladder's rungs in bf16, the ways in which a rung is launched, and how near results have to be.
#pragma once
#include <sectile/dsl/launch/portable.hpp>
#include <sectile/kernels/ladder/launch.hpp>

#include "bench/operands.hpp"

namespace sectile::bench {

// How far a result may be from cuBLASLt's.
constexpr double bf16_bar = 3e-3;  // both round the same sums to 8 bits, so they differ where the sums straddle a tie
constexpr double fp8_bar = 2e-2;   // 13 bits of each addend reach a sum

static __global__ void transpose(bf16* to, const bf16* from, std::int64_t rows, std::int64_t cols) {
  const std::int64_t step = static_cast<std::int64_t>(gridDim.x) * blockDim.x;
  for (std::int64_t i = blockIdx.x * static_cast<std::int64_t>(blockDim.x) + threadIdx.x; i < rows * cols; i += step)
    to[i % cols * rows + i / cols] = from[i];
}

/// A, B and C, and B once more with N contiguous.
struct ladder_operands : operands<bf16, bf16, bf16> {
  device_buffer<bf16> b_by_columns;

  ladder_operands(const shape& s, std::uint64_t seed) : operands(s, seed), b_by_columns(b.count) {
    transpose<<<data_blocks, data_threads>>>(b_by_columns.data, b.data, s.n, s.k);
    check(cudaGetLastError(), "transposing B");
  }
  auto a_view() const { return matrix(static_cast<const bf16*>(a.data), size.m, size.k); }
  auto b_by_columns_view() const {
    return matrix_col_major(static_cast<const bf16*>(b_by_columns.data), size.n, size.k);
  }

  template <class K>
  void by_hand(cudaStream_t on) const {
    if constexpr (kernels::ladder::b_order_of<K>() == col_major)
      kernels::ladder::launch<K>(a_view(), b_by_columns_view(), c_view(), on);
    else
      kernels::ladder::launch<K>(a_view(), b_view(), c_view(), on);
  }
  template <class K>
  void by_wmma(cudaStream_t on) const {
    launch_portable<K, portable::wmma<>>(a_view(), b_view(), c_view(), on);
  }
};

}  // namespace sectile::bench
