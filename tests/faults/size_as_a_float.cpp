// fault: a size that is cast to a float, to divide by it
// caught: compile time
// expect: a number along K that is known only at run time becomes no float: keep it as auto, which + - * /, min, max and select take
// expect-clang: path_depends_on_a_run_time_value
#include "fault.hpp"

struct kernel : product {
  static constexpr void body(auto& sm, auto A, auto B, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A))) acc += sm.load(A, {m, k}) * transpose(sm.load(B, {n, k}));
    sm.store(C, {m, n}, acc / static_cast<float>(size<"K">(A)));
  }
};
static_assert(verified<kernel>);
