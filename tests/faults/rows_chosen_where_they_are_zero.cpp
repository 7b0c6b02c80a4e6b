// fault: select() by a comparison of rows' numbers, to divide by 1 where they are 0
// caught: compile time
// expect: a number per row is no number: every thread holds some of its elements; a function of each is map(x, [](float a) { return ..; })
#include "fault.hpp"

struct kernel : product {
  static constexpr void body(auto& sm, auto A, auto B, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A))) acc += sm.load(A, {m, k}) * transpose(sm.load(B, {n, k}));
    const auto most = row_max(acc);
    sm.store(C, {m, n}, acc / select(most == 0.0f, 1.0f, most));
  }
};
static_assert(verified<kernel>);
