// fault: the coordinates of a tile taken by their numbers, like the elements of an array
// caught: compile time
// expect: the coordinates of a tile are of different types, along M and N; name them: auto [m, n] = sm.tile_of(C)
// expect-clang: refused_because<sectile::rule::coordinates_are_taken_apart_as_auto_m_n>
// expect-nvcc: refused_because<sectile::rule::coordinates_are_taken_apart_as_auto_m_n>
#include "fault.hpp"

struct kernel : product {
  static constexpr void body(auto& sm, auto A, auto B, auto C) {
    auto tile = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A))) acc += sm.load(A, {tile[0], k}) * transpose(sm.load(B, {tile[1], k}));
    sm.store(C, {tile[0], tile[1]}, acc);
  }
};
static_assert(verified<kernel>);
