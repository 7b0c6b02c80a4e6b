// fault: a function of rows that does not take the machine
// caught: compile time
// expect: map_rows(f, u, ..): the function cannot be called like that; write [](auto& machine, float a, ..) { return ..; }
#include "fault.hpp"

struct kernel : product {
  static constexpr void body(auto& sm, auto A, auto B, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A))) acc += sm.load(A, {m, k}) * transpose(sm.load(B, {n, k}));
    acc *= map_rows([](float x) { return x + 1; }, row_max(acc));
    sm.store(C, {m, n}, acc);
  }
};
static_assert(verified<kernel>);
