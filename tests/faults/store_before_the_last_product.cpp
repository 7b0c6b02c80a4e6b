// fault: storing a sum before its last product
// caught: compile time
// expect: operand C is stored before a product of the body; what is stored is complete
#include "fault.hpp"

struct kernel : product {
  static constexpr void body(auto& sm, auto A, auto B, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A) - 1)) acc += sm.load(A, {m, k}) * transpose(sm.load(B, {n, k}));
    auto a = sm.load(A, {m, tiles<"K">(A) - 1});
    auto b = sm.load(B, {n, tiles<"K">(A) - 1});
    sm.store(C, {m, n}, acc);
    acc += a * transpose(b);
  }
};
static_assert(verified<kernel>);
