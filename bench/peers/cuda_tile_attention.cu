// O = softmax(scale Q K^T) V in CUDA Tile C++, for nvcc of CUDA 13.3 or newer with --enable-tile: bf16, sums in f32,
// all packed as heads of length x 128 elements, 16-byte aligned. `scale` holds the logarithm of e to base 2, for exp2.
// The length is a multiple of both tiles. Block (x, y) makes a tile of rows of head y. TILE_M, TILE_N, WARPS, PER_SM
// and CAUSAL are the compiler's arguments (cuda_tile_cpp.py).
#include <cuda_bf16.h>
#include <cuda_tile.h>

namespace ct = cuda::tiles;
using element = __nv_bfloat16;
constexpr int D = 128;

constexpr float infinity = __builtin_huge_valf();
using column = ct::tile<float, ct::shape<TILE_M, 1>>;
using square = ct::tile<float, ct::shape<TILE_M, TILE_N>>;

/// What a tile of rows has seen so far.
struct state {
  column highest, total;
  ct::tile<float, ct::shape<TILE_M, D>> sums;
};

/// A tile of queries meets a tile of keys and its values.
template <bool Masked>
__tile__ state meet(auto queries, auto keys, auto values, int row, int step, float scale, state seen) {
  auto scores = ct::mma(queries, keys, ct::zeros<square>());
  if constexpr (Masked) {
    const auto query = ct::iota<ct::tile<int, ct::shape<TILE_M, 1>>>() + row * TILE_M;
    const auto key = ct::iota<ct::tile<int, ct::shape<1, TILE_N>>>() + step * TILE_N;
    scores = ct::select(key <= query, scores, ct::full<square>(-infinity));
  }
  constexpr ct::round_subnormals_to_zero_t flush{};
  const auto highest = ct::max(seen.highest, ct::reduce_max<1>(scores) * scale);
  const auto weights = ct::exp2(scores * scale - highest, flush);
  const auto shrink = ct::exp2(seen.highest - highest, flush);
  return {highest, seen.total * shrink + ct::sum<1>(weights),
          ct::mma(ct::element_cast<element>(weights), values, seen.sums * shrink)};
}

extern "C" {

[[using cutile: hint(0, num_worker_warps_per_cta = WARPS), hint(0, occupancy = PER_SM)]] __tile_global__ void attention(
    const element* __restrict__ q, const element* __restrict__ k, const element* __restrict__ v,
    element* __restrict__ o, int length, float scale) {
  length = ct::assume_divisible<16>(length);
  const auto head = static_cast<long long>(ct::bid().y) * length * D;
  q = ct::assume_aligned<16>(q + head);
  k = ct::assume_aligned<16>(k + head);
  v = ct::assume_aligned<16>(v + head);
  o = ct::assume_aligned<16>(o + head);
  const auto plain = ct::layout_right_mapping{ct::extents{length, ct::integral_constant<D>{}}};
  const auto turned = ct::layout_left_mapping{ct::extents{ct::integral_constant<D>{}, length}};
  const auto of_q = ct::partition_view{ct::tensor_span{q, plain}, ct::shape<TILE_M, D>{}};
  const auto of_k = ct::partition_view{ct::tensor_span{k, turned}, ct::shape<D, TILE_N>{}};
  const auto of_v = ct::partition_view{ct::tensor_span{v, plain}, ct::shape<TILE_N, D>{}};
  const auto of_o = ct::partition_view{ct::tensor_span{o, plain}, ct::shape<TILE_M, D>{}};
  const int row = CAUSAL ? int(ct::num_blocks().x - 1 - ct::bid().x) : int(ct::bid().x);  // long rows first
  const int whole = CAUSAL ? row * TILE_M / TILE_N : length / TILE_N;                     // of these nothing is hidden
  const int steps = CAUSAL ? ((row + 1) * TILE_M + TILE_N - 1) / TILE_N : whole;

  const auto queries = of_q.load(row, 0);
  state seen{ct::full<column>(-infinity), ct::zeros<column>(), ct::zeros<ct::tile<float, ct::shape<TILE_M, D>>>()};
  for (auto step : ct::irange(0, whole))
    seen = meet<false>(queries, of_k.load(0, step), of_v.load(step, 0), row, step, scale, seen);
  for (auto step : ct::irange(whole, steps))
    seen = meet<true>(queries, of_k.load(0, step), of_v.load(step, 0), row, step, scale, seen);
  of_o.store(ct::element_cast<element>(seen.sums / seen.total), row, 0);
}

}  // extern "C"
