// fault: a loop with as many trips as an int can count: the kernel would run for hours
// caught: launch
// expect: with these sizes and scalars a loop asks for 2147483647 trips, but no operand has more than 15 tiles; pipelined() takes the number of trips, such as tiles<"K">(A)
#include <climits>

#include "running/running.hpp"

namespace more_trips_than_tiles {
struct kernel : product {
  static constexpr void body(auto& sm, auto A, auto B, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    for (auto k : sm.pipelined(INT_MAX)) acc += sm.load(A, {m, k}) * transpose(sm.load(B, {n, k}));
    sm.store(C, {m, n}, acc);
  }
};
static_assert(verified<kernel>);

const running_case run([] { run_product<kernel>(); });
}  // namespace more_trips_than_tiles
