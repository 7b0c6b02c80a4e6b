// The configurations of a GEMM: a launch picks by the sizes.
//
// They are what is left of about a hundred that were raced over some 200 shapes on an H200, by what each adds to the
// geometric mean, a few more that the cost model asked for, and nine of some 150 that were made after what
// cuBLASLt's kernels are called where it was ahead. Few rows: products are swapped, so that tiles are as
// low as the matrix; narrow ones, so that every SM has one. Somewhat more rows: swapped tiles have every multiple of 8,
// where others have every 64 (integers: of 16). Large sizes: two or three warpgroups, persistent, in clusters that
// share what they can; two of them have tiles of their own where sums are short or outputs fill the registers. Widths
// in between exist because a width that divides N over all SMs in whole waves beats a faster tile that leaves some
// idle.
#pragma once
#include <sectile/kernels/gemm.hpp>

namespace sectile::kernels {

/// Tiles of m x n, and of `spans` times 128 bytes along K.
struct gemm_tile {
  int m, n, spans = 1;
};
template <class T>
constexpr configuration gemm_member(gemm_tile t, int stages, cluster_shape cluster = {}, bool persistent = false) {
  // Small tiles are for problems that last little longer than a launch; large ones keep the SMs busy by themselves.
  const bool small = persistent ? t.m * t.n <= 128 * 144 : cluster.size() == 1 && t.n < 256;
  return {.tile = {{"M", t.m}, {"N", t.n}, {"K", t.spans * 1024 / element_of<T>().bits}},
          .stages = stages,
          .cluster = cluster,
          .consumers = t.m < 256 ? t.m / 64 : 2,
          .persistent = persistent,
          .overlap = small ? launch_overlap::both : launch_overlap::prologue};
}
/// The same with the output's columns along the instruction's rows.
template <class T>
constexpr configuration swapped_member(gemm_tile t, int stages, cluster_shape cluster = {}, bool persistent = false) {
  configuration c = gemm_member<T>(t, stages, cluster, persistent);
  c.consumers = t.n < 256 ? t.n / 64 : 2;
  c.swap = true;
  return c;
}
/// The same, and the kernel behind may be placed as soon as its loads are issued.
constexpr configuration with_next(configuration c) {
  c.overlap = launch_overlap::both;
  return c;
}
/// For few rows: the output's rows are the instruction's N.
template <class T>
constexpr auto swapped_configurations() {
  constexpr auto swapped = swapped_member<T>;
  return configurations(
      swapped({8, 64, 4}, 6, {}, false), swapped({8, 128}, 7, {}, false), swapped({8, 192}, 8, {}, false),
      swapped({16, 64, 2}, 4, {}, false), swapped({16, 64, 4}, 5, {}, false), swapped({16, 128, 2}, 6, {}, false),
      swapped({16, 192}, 8, {}, false),  //
      swapped({24, 256}, 6, {1, 4}, false), swapped({24, 256}, 6, {}, false), swapped({32, 64, 2}, 9, {}, false),
      swapped({32, 64, 2}, 9, {1, 4}, false), swapped({48, 64, 2}, 7, {}, false), swapped({64, 64, 2}, 6, {}, false),
      swapped({64, 256}, 5, {}, false), swapped({96, 64, 2}, 5, {1, 4}, false), swapped({96, 128}, 7, {}, true),
      swapped({128, 64, 2}, 4, {1, 4}, false),  //
      swapped({80, 192}, 6, {2, 1}, true), with_next(swapped({112, 192}, 5, {1, 2}, false)),
      swapped({144, 256}, 4, {}, true), swapped({160, 192}, 4, {2, 1}, true), swapped({160, 192}, 4, {1, 2}, true),
      swapped({176, 192}, 4, {}, true), swapped({176, 64}, 7, {1, 4}, false));
}
/// The output's rows are the instruction's.
template <class T>
constexpr auto upright_configurations() {
  constexpr auto of = gemm_member<T>;
  return configurations(
      of({64, 32, 2}, 8, {}, false), of({64, 64, 2}, 6, {1, 4}, false), of({64, 128}, 8, {}, false),
      of({64, 128, 2}, 4, {1, 2}, false), of({64, 128}, 8, {2, 1}, true), of({128, 128}, 6, {2, 1}, true),
      of({128, 160}, 5, {2, 1}, true), of({128, 192}, 5, {2, 1}, true), of({128, 224}, 4, {2, 1}, true),
      of({128, 256}, 4, {1, 2}, true), of({128, 256}, 4, {2, 1}, true),  //
      of({192, 96}, 5, {}, false), of({192, 128}, 5, {}, true), of({192, 160}, 4, {1, 2}, true),
      with_next(of({192, 192}, 4, {1, 2}, true)));
}

/// A tile for each of two consumers, by turns: no tile's epilogue keeps the tensor cores waiting.
template <class T>
constexpr configuration own_member(gemm_tile t, int stages, cluster_shape cluster, bool swap) {
  configuration c = gemm_member<T>(t, stages, cluster, true);
  c.consumers = 2;
  c.own_tiles = true;
  c.swap = swap;
  c.overlap = launch_overlap::both;
  return c;
}
template <class T>
constexpr auto own_configurations() {
  constexpr auto own = own_member<T>;
  return configurations(
      own({24, 64, 2}, 9, {}, true), own({144, 128}, 5, {1, 2}, true), own({176, 128}, 5, {1, 2}, true),
      own({192, 128}, 4, {1, 2}, true),  //
      own({64, 128}, 8, {2, 1}, false), own({128, 176}, 5, {2, 1}, false), own({64, 208}, 5, {}, false),
      own({64, 224}, 5, {}, false), own({128, 112}, 6, {2, 1}, false), own({128, 128}, 6, {}, false),
      own({128, 128}, 6, {2, 1}, false), own({128, 128}, 6, {1, 2}, false), own({128, 176}, 5, {1, 2}, false),
      own({128, 192}, 5, {2, 1}, false), own({128, 192}, 5, {1, 2}, false));
}

/// What two or four CTAs read arrives once: small tiles whose one wave has all rows, with long sums, and large ones
/// whose loads L2 does not keep up with, as where rows begin at odd places.
template <class T>
constexpr auto sharing_configurations() {
  constexpr auto of = gemm_member<T>;
  return configurations(of({64, 64, 2}, 6, {2, 1}, false), of({128, 96}, 7, {1, 4}, true),
                        of({128, 256}, 4, {2, 2}, true), swapped_member<T>({112, 192}, 5, {1, 4}, false),
                        own_member<T>({176, 128}, 5, {1, 4}, true));
}

constexpr configuration in_parts(int parts, configuration c) {
  c.split = parts;
  return c;
}
/// The same in clusters that hold the tiles of one part, of which more find room.
constexpr configuration in_parts_apart(int parts, configuration c) {
  c = in_parts(parts, c);
  c.apart = true;
  return c;
}
/// For outputs of few tiles and long sums: CTAs of a cluster make a part of the sums each. Where a part is still long,
/// two tiles beside each other are in the cluster as well, and what both read arrives once: then nearly all SMs are at
/// work and L2 keeps up with them.
template <class T>
constexpr auto split_configurations() {
  constexpr auto swapped = swapped_member<T>, upright = gemm_member<T>;
  return configurations(
      in_parts(2, swapped({8, 64, 4}, 6, {}, false)), in_parts(2, swapped({16, 64, 4}, 5, {}, false)),
      in_parts(4, swapped({16, 64, 4}, 5, {}, false)), in_parts(4, swapped({16, 128, 2}, 6, {}, false)),
      in_parts(2, swapped({32, 64, 2}, 9, {}, false)), in_parts(8, swapped({64, 64, 2}, 6, {}, false)),
      in_parts(2, swapped({96, 128}, 7, {1, 2}, false)), in_parts(2, swapped({112, 192}, 5, {2, 1}, false)),
      in_parts(2, swapped({176, 128}, 5, {1, 2}, false)),
      in_parts_apart(2, swapped({160, 192}, 4, {1, 2}, false)),  //
      in_parts(2, upright({64, 64, 2}, 6, {}, false)), with_next(in_parts(3, upright({64, 128}, 8, {2, 1}, false))),
      in_parts_apart(3, upright({64, 128}, 8, {4, 1}, false)), in_parts(2, upright({128, 64}, 8, {}, false)),
      in_parts_apart(2, upright({128, 64}, 8, {2, 1}, false)), in_parts(3, upright({128, 128}, 6, {1, 2}, false)),
      in_parts(2, upright({192, 128}, 5, {1, 2}, false)));
}
/// For some hundreds of rows, whole: four tiles share what they read, and are as many as find room at once. (They would
/// do in any family; those that sum in one order were measured without them.)
template <class T>
constexpr auto four_tile_configurations() {
  constexpr auto swapped = swapped_member<T>, upright = gemm_member<T>;
  return configurations(swapped({184, 64}, 6, {1, 4}, false), with_next(swapped({96, 128}, 7, {2, 2}, false)),
                        upright({64, 152}, 7, {2, 2}, false));
}
/// For a last wave that is nearly empty behind whole ones, and for half a wave with long sums.
template <class T>
constexpr auto streamed_configurations() {
  constexpr auto upright = gemm_member<T>;
  return configurations(upright({128, 128}, 6, {2, 1}, true).with_streamed_tiles(),
                        upright({128, 256}, 4, {2, 1}, true).with_streamed_tiles());
}

/// The GEMM of gemm.hpp in 59 configurations, which sum in one order: a row has the same bits whichever is picked.
template <class Left, class Right, class Out, gemm_form Form = gemm_form{}, class Sum = sum_type<Left>>
struct gemm_family : gemm<Left, Right, Out, Form, Sum> {
  static constexpr auto how = swapped_configurations<Left>() + upright_configurations<Left>() +
                              own_configurations<Left>() + sharing_configurations<Left>();
};

/// The same and those whose loops are split, or tiles streamed. How many parts a sum has then hangs on the sizes, and so
/// do its last bits. (A launch takes a streamed one only where it was given a workspace.)
template <class Left, class Right, class Out, gemm_form Form = gemm_form{}, class Sum = sum_type<Left>>
struct split_gemm_family : gemm<Left, Right, Out, Form, Sum> {
  static constexpr auto how = gemm_family<Left, Right, Out, Form, Sum>::how + split_configurations<Left>() +
                              four_tile_configurations<Left>() + streamed_configurations<Left>();
  static constexpr auto sums = any_order;
};

using gemm_bf16_family = gemm_family<bf16, bf16, bf16>;
using gemm_f16_family = gemm_family<f16, f16, f16>;
using gemm_f16_f16_family = gemm_family<f16, f16, f16, gemm_form{}, f16>;
using gemm_tf32_family = gemm_family<tf32, tf32, float>;
using gemm_e4m3_family = gemm_family<e4m3, e4m3, bf16>;
using gemm_e5m2_family = gemm_family<e5m2, e5m2, bf16>;
using gemm_e4m3_e5m2_family = gemm_family<e4m3, e5m2, bf16>;
using gemm_e5m2_e4m3_family = gemm_family<e5m2, e4m3, bf16>;
using gemm_s8_family = gemm_family<s8, s8, s32>;
using gemm_u8_family = gemm_family<u8, u8, s32>;
using gemm_b1_family = gemm_family<b1x8, b1x8, s32>;

using gemm_bf16_split_family = split_gemm_family<bf16, bf16, bf16>;

}  // namespace sectile::kernels

#ifndef SECTILE_NO_TABLES
#include <sectile/kernels/tables/gemm_bf16_family.hpp>
#include <sectile/kernels/tables/gemm_bf16_split_family.hpp>
#include <sectile/kernels/tables/gemm_e4m3_family.hpp>
#include <sectile/kernels/tables/gemm_f16_family.hpp>
#include <sectile/kernels/tables/gemm_s8_family.hpp>
#include <sectile/kernels/tables/gemm_tf32_family.hpp>
#endif
