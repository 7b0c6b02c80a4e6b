// The configurations of a sparse GEMM. wgmma takes its left factor alone sparse, so the output's rows are the
// instruction's in all of them; and a cluster shares a sparse tile in whole blocks of metadata, 64 rows each.
//
// Half as many products take as many bytes of B, so what a sparse GEMM lacks is bytes on their way: of one tile, a
// stage more was worth 9 % on an H200. The large ones have as many stages as a CTA has room for, and leave their
// epilogue the least that it can do with. They are what was left of 40 that were raced over squares and random sizes in
// three types.
#pragma once
#include <sectile/kernels/gemm_family.hpp>
#include <sectile/kernels/sparse_gemm.hpp>

namespace sectile::kernels {

template <class T>
constexpr auto sparse_gemm_configurations() {
  constexpr auto of = gemm_member<T>;
  // Elements of 8 bits have twice as much metadata for as many bytes of A: it costs the tallest tiles a stage.
  constexpr int fewer = element_of<T>().bits == 8 ? 1 : 0;
  return configurations(of({64, 32, 2}, 8, {}, false), of({64, 64, 2}, 6, {}, false), of({64, 128}, 8, {}, false),
                        of({64, 256}, 5, {}, false),  //
                        of({128, 128}, 8, {1, 2}, true), of({128, 192}, 6, {2, 1}, true),
                        of({128, 208}, 6, {2, 1}, true), of({128, 256}, 5, {2, 1}, true),
                        of({128, 256}, 5, {}, true),  //
                        of({192, 96}, 8 - fewer, {}, true), of({192, 128}, 6, {2, 1}, true),
                        of({192, 160}, 6, {2, 1}, true), of({192, 192}, 5, {2, 1}, true),  //
                        of({256, 128}, 6 - fewer, {}, true), of({256, 160}, 5, {2, 1}, true),
                        of({256, 192}, 5 - fewer, {2, 1}, true), of({256, 192}, 5 - fewer, {1, 2}, true));
}

/// The sparse GEMM in 17 configurations, which sum in one order.
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

#ifndef SECTILE_NO_TABLES
#include <sectile/kernels/tables/sparse_gemm_bf16_family.hpp>
#include <sectile/kernels/tables/sparse_gemm_e4m3_family.hpp>
#include <sectile/kernels/tables/sparse_gemm_f16_family.hpp>
#include <sectile/kernels/tables/sparse_gemm_s8_family.hpp>
#endif
