// fault: a vector that comes with tiles and that nothing reads
// caught: compile time
// expect: operand SA is loaded but nothing is computed with what one of its loads brings
#include "fault.hpp"

struct kernel : product_with_scales {
  static constexpr void body(auto& sm, auto A, auto B, auto SA, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A))) {
      static_cast<void>(sm.load(SA, {as<"KB">(k), m}));
      acc += sm.load(A, {m, k}) * transpose(sm.load(B, {n, k}));
    }
    sm.store(C, {m, n}, acc);
  }
};
static_assert(verified<kernel>);
