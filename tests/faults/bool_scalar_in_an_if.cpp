// fault: a flag among the arguments in an if
// caught: compile time
// expect: a condition that is known only at run time decides nothing in a body. Use select(), min(), max() or mask(); a loop is sm.pipelined(n), and an if is such a loop of 0 or 1 trips
// expect-clang: refused_because<sectile::rule::path_depends_on_a_run_time_value>
// expect-nvcc: refused_because<sectile::rule::path_depends_on_a_run_time_value>
#include "fault.hpp"

struct kernel : product {
  static constexpr auto operands =
      sectile::operands(input<"A(M,K)", bf16>(), input<"B(N,K)", bf16>(), output<"C(M,N)", bf16>(),
                        scalar<"negate", bool>());

  static constexpr void body(auto& sm, auto A, auto B, auto C, auto negate) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A))) acc += sm.load(A, {m, k}) * transpose(sm.load(B, {n, k}));
    if (negate) acc *= -1.0f;
    sm.store(C, {m, n}, acc);
  }
};
static_assert(verified<kernel>);
