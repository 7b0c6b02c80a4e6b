// fault: in a ThunderKittens kernel, a tile that is reinterpreted as one of half the columns and given to the same tensor map
// caught: compile time
// expect: TMA writes with Sw<3,3,3> and the tile is Sw<2,3,3> o 0 o (256,(32,1)):(32,(1,8192))
#include <sectile/layouts.hpp>
#include <sectile/layouts/adapt/kittens.hpp>

namespace st = sectile;

/// What kittens::st_bf<256, 32> offers.
struct reinterpreted {
  using dtype = unsigned short;
  static constexpr int rows = 256, cols = 32, swizzle_bytes = 64;
};
static_assert(st::holds<st::tma_writes(st::from_kittens<reinterpreted>(), st::major::k, 16, st::swizzle_mode::b128)>);
