// C = A B^T in CUDA Tile C++, for nvcc of CUDA 13.3 or newer with --enable-tile: bf16, sums in f32, A of m x k, B of
// n x k, C of m x n, all row-major and packed, extents multiples of 16, from 16-byte aligned memory. Blocks go through
// the tiles of C in groups of rows that share operands in L2; a grid of as many blocks as tiles makes one each. TILE_M,
// TILE_N, TILE_K, WARPS and PER_SM are the compiler's arguments (cuda_tile_cpp.py).
#include <cuda_bf16.h>
#include <cuda_tile.h>

namespace ct = cuda::tiles;
using element = __nv_bfloat16;

extern "C" {

[[using cutile: hint(0, num_worker_warps_per_cta = WARPS), hint(0, occupancy = PER_SM)]] __tile_global__ void gemm(
    const element* __restrict__ a, const element* __restrict__ b, element* __restrict__ c, int m, int n, int k) {
  a = ct::assume_aligned<16>(a);
  b = ct::assume_aligned<16>(b);
  c = ct::assume_aligned<16>(c);
  m = ct::assume_divisible<16>(m);
  n = ct::assume_divisible<16>(n);
  k = ct::assume_divisible<16>(k);
  const auto turned = ct::layout_left_mapping{ct::extents{k, n}};  // rows of B are columns of B^T
  const auto of_a = ct::partition_view{ct::tensor_span{a, ct::extents{m, k}}, ct::shape<TILE_M, TILE_K>{}};
  const auto of_b = ct::partition_view{ct::tensor_span{b, turned}, ct::shape<TILE_K, TILE_N>{}};
  const auto of_c = ct::partition_view{ct::tensor_span{c, ct::extents{m, n}}, ct::shape<TILE_M, TILE_N>{}};
  constexpr int group = 8;
  const int rows = (m + TILE_M - 1) / TILE_M, cols = (n + TILE_N - 1) / TILE_N, steps = (k + TILE_K - 1) / TILE_K;
  for (auto tile : ct::irange(int(ct::bid().x), rows * cols, int(ct::num_blocks().x))) {
    const int first = tile / (group * cols) * group;
    const int high = rows - first < group ? rows - first : group;
    const int row = first + tile % (group * cols) % high;
    const int col = tile % (group * cols) / high;
    auto sums = ct::zeros<ct::tile<float, ct::shape<TILE_M, TILE_N>>>();
    for (auto step : ct::irange(0, steps))
      sums = ct::mma(of_a.load_masked(row, step), of_b.load_masked(step, col), sums);
    of_c.store_masked(ct::element_cast<element>(sums), row, col);
  }
}

}  // extern "C"
