// fault: a body that merges what parts make, and has each make all trips
// caught: compile time
// expect: split = 2: sm.merge() puts together what parts of the trips make, and each CTA makes all of them
#include "fault.hpp"

struct kernel : product {
  static constexpr sectile::configuration how{.tile = product::how.tile, .stages = 2, .consumers = 2, .split = 2};
  static constexpr void body(auto& sm, auto A, auto B, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A))) acc += sm.load(A, {m, k}) * transpose(sm.load(B, {n, k}));
    sm.merge([](auto& x, auto& other) { x += other; }, acc);
    sm.store(C, {m, n}, acc);
  }
};
static_assert(verified<kernel>);
