// fault: pixels are loaded by their channels in place of their numbers
// caught: compile time
// expect: coordinate 1 of a tile of X counts tiles along M, but the one given counts along C: are they in another order? Where it is meant: as<"M">(x)
// expect-clang: coordinate_is_along_another_mode
#include "fault.hpp"

struct kernel : convolved {
  static constexpr void body(auto& sm, auto X, auto W, auto Y) {
    auto [m, k] = sm.tile_of(Y);
    auto acc = sm.accumulator(Y);
    for (auto t : sm.pipelined(tiles<"T">(X)))
      for (auto c : sm.pipelined(tiles<"C">(X))) acc += sm.load(X, {t, c, m}) * transpose(sm.load(W, {t, k, c}));
    sm.store(Y, {m, k}, acc);
  }
};
static_assert(verified<kernel>);
