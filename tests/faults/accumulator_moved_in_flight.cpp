// fault: a function that returns an accumulator whose product is still running
// caught: compile time
// expect: the body moves a fragment while a product on it is in flight, as `return acc;` may; return sm.accumulator(a * b) itself
#include "fault.hpp"

template <class Fragment>
constexpr Fragment passed_on(Fragment& x) {
  return static_cast<Fragment&&>(x);
}

struct kernel : product {
  static constexpr void body(auto& sm, auto A, auto B, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A))) acc += sm.load(A, {m, k}) * transpose(sm.load(B, {n, k}));
    auto moved = passed_on(acc);
    sm.store(C, {m, n}, moved);
  }
};
static_assert(verified<kernel>);
