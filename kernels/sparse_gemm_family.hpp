// The configurations of a sparse GEMM. wgmma takes its left factor alone sparse, so the output's rows are the
// instruction's in all of them; and a cluster shares a sparse tile in whole blocks of metadata, 64 rows each.
#pragma once
#include <sectile/kernels/gemm_family.hpp>
#include <sectile/kernels/sparse_gemm.hpp>

namespace sectile::kernels {

template <class T>
constexpr auto sparse_gemm_configurations() {
  constexpr auto of = gemm_member<T>;
  return configurations(of({64, 32, 2}, 8, {}, false), of({64, 64, 2}, 6, {}, false), of({64, 128}, 8, {}, false),
                        of({64, 128}, 8, {2, 1}, true), of({64, 256}, 5, {}, false),  //
                        of({128, 112}, 6, {}, true), of({128, 128}, 6, {2, 1}, true), of({128, 160}, 5, {2, 1}, true),
                        of({128, 192}, 5, {2, 1}, true), of({128, 192}, 5, {1, 2}, true),
                        of({128, 256}, 4, {1, 2}, true), of({128, 256}, 4, {2, 1}, true),  //
                        of({192, 96}, 5, {}, false), of({192, 128}, 5, {2, 1}, true), of({192, 160}, 4, {2, 1}, true),
                        of({192, 192}, 4, {2, 1}, true));
}

/// The sparse GEMM in 16 configurations, which sum in one order.
template <class Left, class Right, class Out, class Sum = sum_type<Left>>
struct sparse_gemm_family : sparse_gemm<Left, Right, Out, Sum> {
  static constexpr auto how = sparse_gemm_configurations<Left>();
};

using sparse_gemm_f16_family = sparse_gemm_family<f16, f16, f16>;
using sparse_gemm_bf16_family = sparse_gemm_family<bf16, bf16, bf16>;
using sparse_gemm_tf32_family = sparse_gemm_family<tf32, tf32, float>;
using sparse_gemm_e4m3_family = sparse_gemm_family<e4m3, e4m3, bf16>;
using sparse_gemm_e5m2_family = sparse_gemm_family<e5m2, e5m2, bf16>;
using sparse_gemm_s8_family = sparse_gemm_family<s8, s8, s32>;
using sparse_gemm_u8_family = sparse_gemm_family<u8, u8, s32>;

}  // namespace sectile::kernels
