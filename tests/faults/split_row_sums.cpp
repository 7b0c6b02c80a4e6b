// fault: a split of a loop that sums the rows of what it loads
// caught: compile time
// expect: split = 2 divides the trips of loops, but rows or columns are reduced in a loop, not behind it; a loop that is split carries only sums
#include "fault.hpp"

struct kernel {
  static constexpr auto operands = sectile::operands(input<"A(M,K)", bf16>(), input<"B(N,K)", bf16>(),
                                                     output<"C(M,N)", float>());
  static constexpr sectile::configuration how{.tile = product::how.tile, .stages = 2, .consumers = 2, .split = 2};
  static constexpr void body(auto& sm, auto A, auto B, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    auto sums = row_sum(cast<float>(in_registers(sm.load(A, {m, 0}))));
    for (auto k : sm.pipelined(tiles<"K">(A))) {
      auto a = sm.load(A, {m, k});
      sums = sums + row_sum(cast<float>(in_registers(a)));
      acc += a * transpose(sm.load(B, {n, k}));
    }
    sm.store(C, {m, n}, acc - sums.total());
  }
};
static_assert(verified<kernel>);
