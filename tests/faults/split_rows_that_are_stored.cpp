// fault: a split of a loop that stores a tile of its row in each trip
// caught: compile time
// expect: split = 2 divides the trips of loops, but an output is stored in a loop
#include "fault.hpp"

struct kernel {
  static constexpr auto operands =
      sectile::operands(input<"A(M,K)", bf16>(), input<"B(N,K)", bf16>(), output<"C(M,N)", bf16>());
  static constexpr sectile::configuration how{.tile = product::how.tile, .stages = 2, .consumers = 2, .split = 2};
  static constexpr void body(auto& sm, auto A, auto B, auto C) {
    auto [m] = sm.rows_of(C);
    for (auto n : sm.pipelined(tiles<"N">(C))) {
      auto acc = sm.accumulator(sm.load(A, {m, 0}) * transpose(sm.load(B, {n, 0})));
      sm.store(C, {m, n}, acc);
    }
  }
};
static_assert(verified<kernel>);
