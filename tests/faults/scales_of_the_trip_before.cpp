// fault: scales of the tile of K that comes before
// caught: compile time
// expect: operand SA: a trip loads number k - 1 along KB with tiles k along K: load both at one coordinate; where it is to begin elsewhere in memory, pass the launch a view that does
#include "fault.hpp"

struct kernel : product_with_scales {
  static constexpr void body(auto& sm, auto A, auto B, auto SA, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto sum = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A))) {
      const auto part = sm.accumulator(sm.load(A, {m, k}) * transpose(sm.load(B, {n, k})));
      sum = fma(part, in_registers(sm.load(SA, {as<"KB">(k - 1), m})), sum);
    }
    sm.store(C, {m, n}, sum);
  }
};
static_assert(verified<kernel>);
