// fault: storing inside the pipelined loop
// caught: compile time
// expect: operand C is stored inside a loop; accumulate, and store once behind the loop, or declare a trip_output<..>() that has a mode of the trips
#include "fault.hpp"

struct kernel : product {
  static constexpr void body(auto& sm, auto A, auto B, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A))) {
      acc += sm.load(A, {m, k}) * transpose(sm.load(B, {n, k}));
      sm.store(C, {m, n}, acc);
    }
  }
};
static_assert(verified<kernel>);
