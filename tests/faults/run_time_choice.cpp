// fault: a ?: on the number of a trip
// caught: compile time
// expect: a condition that is known only at run time decides nothing in a body. Use select(), min(), max() or mask(); a loop is sm.pipelined(n), and an if is such a loop of 0 or 1 trips
// expect-clang: refused_because<sectile::rule::path_depends_on_a_run_time_value>
// expect-nvcc: refused_because<sectile::rule::path_depends_on_a_run_time_value>
#include "fault.hpp"

struct kernel : product {
  static constexpr void body(auto& sm, auto A, auto B, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A))) {
      auto from = k == 0 ? k : k - 1;
      acc += sm.load(A, {m, from}) * transpose(sm.load(B, {n, from}));
    }
    sm.store(C, {m, n}, acc);
  }
};
static_assert(verified<kernel>);
