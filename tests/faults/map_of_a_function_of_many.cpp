// fault: a name of several functions, as std::tanh is, given to map()
// caught: compile time
// expect: map(x, f): the function's name has several forms, as those of <cmath>; write [](float a) { return std::tanh(a); }
#include <cmath>

#include "fault.hpp"

struct kernel : product {
  static constexpr void body(auto& sm, auto A, auto B, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A))) acc += sm.load(A, {m, k}) * transpose(sm.load(B, {n, k}));
    sm.store(C, {m, n}, map(acc, std::tanh));
  }
};
static_assert(verified<kernel>);
