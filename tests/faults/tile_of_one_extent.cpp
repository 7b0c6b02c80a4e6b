// fault: a tile with one extent
// caught: compile time
// expect: tile() with 1 extent: a tile has an extent for each mode of its tensor, 2 to 5: tile(128, 64)
#include "fault.hpp"

struct kernel {
  static constexpr auto operands =
      sectile::operands(input<"A(M,K)", bf16>(row_major, tile(128)), input<"B(N,K)", bf16>(row_major, tile(64, 64)),
                        output<"C(M,N)", bf16>(row_major, tile(128, 64)));
  static constexpr sectile::configuration how{.tile = product::how.tile, .stages = 2, .consumers = 2};

  static constexpr void body(auto& sm, auto A, auto B, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A))) acc += sm.load(A, {m, k}) * transpose(sm.load(B, {n, k}));
    sm.store(C, {m, n}, acc);
  }
};
static_assert(verified<kernel>);
