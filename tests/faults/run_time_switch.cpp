// fault: a switch on the number of a trip
// caught: compile time
// expect: a number along K that is known only at run time becomes no int: keep it as auto. Arrays and switch take constants; a loop is sm.pipelined(n), a choice select()
#include "fault.hpp"

struct kernel : product {
  static constexpr void body(auto& sm, auto A, auto B, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A))) {
      acc += sm.load(A, {m, k}) * transpose(sm.load(B, {n, k}));
      switch (k) {
        case 0: acc *= 2.0f; break;
        default: break;
      }
    }
    sm.store(C, {m, n}, acc);
  }
};
static_assert(verified<kernel>);
