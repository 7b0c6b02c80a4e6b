// fault: a configuration that swaps, of a program that asks for places in rows
// caught: compile time
// expect: .swap = true with the place of an element in its row: registers hold the transpose
// expect: leave .swap out of this program's configurations
#include "fault.hpp"

struct kernel : product {
  static constexpr sectile::configuration how{
      .tile = {{"M", 64}, {"N", 128}, {"K", 64}}, .stages = 2, .consumers = 1, .swap = true};
  static constexpr void body(auto& sm, auto A, auto B, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A))) acc += sm.load(A, {m, k}) * transpose(sm.load(B, {n, k}));
    sm.store(C, {m, n}, acc - row_argmax(acc, {m, n}, size<"N">(C)).value);
  }
};
static_assert(verified<kernel>);
