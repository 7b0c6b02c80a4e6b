// fault: the number of a trip that is kept as an int
// caught: compile time
// expect: a number along K that is known only at run time becomes no int: keep it as auto. Arrays and switch take constants; a loop is sm.pipelined(n), a choice select()
// expect-clang: refused_because<sectile::rule::path_depends_on_a_run_time_value>
// expect-nvcc: refused_because<sectile::rule::path_depends_on_a_run_time_value>
#include "fault.hpp"

struct kernel : product {
  static constexpr void body(auto& sm, auto A, auto B, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A))) {
      int x = k;
      acc += sm.load(A, {m, x}) * transpose(sm.load(B, {n, x}));
    }
    sm.store(C, {m, n}, acc);
  }
};
static_assert(verified<kernel>);
