// The rungs of the ladder as the tests run them: one after the other, on the same numbers.
#pragma once
#include <sectile/kernels/ladder/core_matrices.hpp>
#include <sectile/kernels/ladder/descriptors.hpp>
#include <sectile/kernels/ladder/launch.hpp>
#include <sectile/kernels/ladder/one_tile.hpp>
#include <sectile/kernels/ladder/persistence.hpp>
#include <sectile/kernels/ladder/simt.hpp>
#include <sectile/kernels/ladder/stages.hpp>
#include <sectile/kernels/ladder/swizzles.hpp>
#include <sectile/kernels/ladder/tma.hpp>

namespace sectile::test {

namespace ladder = kernels::ladder;

/// Calls f.operator()<K>(name) for the rungs of wgmma that are written by hand.
template <class F>
void for_each_rung_by_hand(F f) {
  f.template operator()<ladder::one_tile>("one_tile");
  f.template operator()<ladder::descriptors>("descriptors");
  f.template operator()<ladder::core_matrices>("core_matrices");
  f.template operator()<ladder::swizzles>("swizzles");
  f.template operator()<ladder::tma>("tma");
  f.template operator()<ladder::stages>("stages");
}
/// And for those that are programs of the language.
template <class F>
void for_each_planned_rung(F f) {
  f.template operator()<ladder::warp_specialization>("warp_specialization");
  f.template operator()<ladder::clusters>("clusters");
  f.template operator()<ladder::persistence>("persistence");
}

struct ladder_shape {
  int m, n, k;
};

/// One tile; the least there is; many; and sizes that no tile divides.
inline constexpr ladder_shape ladder_shapes[] = {{64, 256, 64},  {1, 1, 8},      {256, 512, 192}, {70, 520, 328},
                                                 {129, 257, 72}, {65, 31, 1000}, {200, 264, 64}};

}  // namespace sectile::test
