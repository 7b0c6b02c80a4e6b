// fault: a loop over all pairs of places and channels, whose number is taken for a place
// caught: compile time
// expect: coordinate 0 of a tile of X counts tiles along T, but the one given is made of several modes; where that is meant, say so: as<"T">(x)
// expect-clang: coordinate_is_along_another_mode
#include "fault.hpp"

struct kernel : convolved {
  static constexpr void body(auto& sm, auto X, auto W, auto Y) {
    auto [m, k] = sm.tile_of(Y);
    auto acc = sm.accumulator(Y);
    auto places = tiles<"T">(X);
    for (auto i : sm.pipelined(places * tiles<"C">(X))) {
      auto t = as<"T">(i % places);
      auto c = as<"C">(i / places);
      acc += sm.load(X, {i % places, m, c}) * transpose(sm.load(W, {t, k, c}));
    }
    sm.store(Y, {m, k}, acc);
  }
};
static_assert(verified<kernel>);
