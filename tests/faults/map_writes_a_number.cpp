// fault: a function given to map() adds up what it is given in a variable, by which the body then divides
// caught: compile time
// expect: a function that is given to map() or its like writes what the body computes with: each thread would have another number there; of all elements a number is made by row_sum(x), col_sum(x), combine() ..
// expect-clang: accepted
#include "fault.hpp"

struct kernel : product {
  static constexpr void body(auto& sm, auto A, auto B, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A))) acc += sm.load(A, {m, k}) * transpose(sm.load(B, {n, k}));
    float total = 0;
    const auto same = map(acc, [&](float x) {
      total += x;
      return x;
    });
    sm.store(C, {m, n}, same / total);
  }
};
static_assert(verified<kernel>);
