// fault: a product that reads its own accumulator
// caught: compile time
// expect: a product reads its own accumulator as left factor; copy the fragment first
#include "fault.hpp"

struct kernel : product {
  static constexpr void body(auto& sm, auto A, auto B, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A))) acc += sm.load(A, {m, k}) * transpose(sm.load(B, {n, k}));
    auto half = sm.accumulator(C, as<f16>());
    half += half * transpose(sm.load(B, {n, 0}));
    sm.store(C, {m, n}, acc);
  }
};
static_assert(verified<kernel>);
