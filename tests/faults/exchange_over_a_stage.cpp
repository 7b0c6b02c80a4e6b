// fault: parts of columns that lie over a stage
// caught: compile time
// expect: the exchange of columns and A both lie at byte 0
#include "fault.hpp"

struct of_columns : product {
  static constexpr void body(auto& sm, auto A, auto B, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A))) acc += sm.load(A, {m, k}) * transpose(sm.load(B, {n, k}));
    sm.store(C, {m, n}, acc - col_max(acc));
  }
};
constexpr plan tampered(plan p) {
  p.exchange.offset = 0;
  return p;
}
static_assert(verified<with_plan<of_columns, tampered>>);
