// fault: a split of a loop that multiplies by the tile that the trip before has loaded
// caught: compile time
// expect: split = 2 divides the trips of loops, but a tile is used in another trip than it is loaded in
#include "fault.hpp"

struct kernel : product {
  static constexpr sectile::configuration how{.tile = product::how.tile, .stages = 4, .consumers = 2, .split = 2};
  static constexpr void body(auto& sm, auto A, auto B, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    auto b = sm.load(B, {n, 0});
    for (auto k : sm.pipelined(tiles<"K">(A) - 1)) {
      acc += sm.load(A, {m, k}) * transpose(b);
      b = sm.load(B, {n, k + 1});
    }
    sm.store(C, {m, n}, acc);
  }
};
static_assert(verified<kernel>);
