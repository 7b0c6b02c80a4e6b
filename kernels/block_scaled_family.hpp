// The configurations of a product with block scales: a launch picks by the sizes.
//
// They are what is left of 40 that were raced over 20 shapes on an H200, by what each adds to the geometric mean. Many
// rows: tiles of 192 x 128 whose three consumers take turns, so that two of them have the time of two products for
// adding up, or of 256 x 128 whose consumers make a product in two parts; where these leave SMs idle, 128 x 192 or
// 128 x 128. Few rows: low tiles, of which two or three CTAs make parts of a long sum.
#pragma once
#include <sectile/kernels/block_scaled_gemm.hpp>

namespace sectile::kernels {

/// Tiles of m x n whose consumers take turns, in CTAs that walk over them.
constexpr configuration scaled_in_turns(int m, int n, int stages, launch_overlap overlap = launch_overlap::prologue) {
  return {.tile = {{"M", m}, {"N", n}, {"K", scaled_block}, {"KB", 1}},
          .stages = stages,
          .consumers = m / 64,
          .persistent = true,
          .pingpong = true,
          .overlap = overlap};
}
/// Tiles of 128 rows for each of two consumers, which make them in two parts.
constexpr configuration scaled_tall(int n, int stages) {
  return {.tile = {{"M", 256}, {"N", n}, {"K", scaled_block}, {"KB", 1}},
          .stages = stages,
          .consumers = 2,
          .persistent = true,
          .overlap = launch_overlap::prologue};
}
/// Tiles of which each has a CTA, or several that make parts of its sums.
constexpr configuration scaled_in_parts(int parts, int m, int n, int stages) {
  return {.tile = {{"M", m}, {"N", n}, {"K", scaled_block}, {"KB", 1}},
          .stages = stages,
          .consumers = m / 64,
          .split = parts,
          .overlap = launch_overlap::both};
}

/// The product of block_scaled_gemm.hpp, with scales of squares of B. How many parts a sum has hangs on the sizes, and
/// so do its last bits.
template <class T, class Out, class Scale = float>
struct block_scaled_family : block_scaled_gemm<T, Out, scaled_part::square, Scale> {
  static constexpr auto how =
      configurations(scaled_in_turns(192, 128, 4), scaled_in_turns(128, 192, 4),
                     scaled_in_turns(128, 128, 6, launch_overlap::none), scaled_tall(128, 4),  //
                     scaled_in_parts(1, 64, 64, 6), scaled_in_parts(1, 64, 96, 5), scaled_in_parts(1, 64, 128, 4),
                     scaled_in_parts(1, 64, 192, 3),  //
                     scaled_in_parts(2, 64, 64, 6), scaled_in_parts(3, 64, 64, 6), scaled_in_parts(2, 128, 64, 4),
                     scaled_in_parts(2, 128, 128, 6));
  static constexpr auto sums = any_order;
};

using block_scaled_gemm_e4m3_family = block_scaled_family<e4m3, bf16>;

}  // namespace sectile::kernels

#ifndef SECTILE_NO_TABLES
#include <sectile/kernels/tables/block_scaled_gemm_e4m3_family.hpp>
#endif
