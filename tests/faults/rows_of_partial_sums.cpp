// fault: Sums that are stored in each trip, before they are complete
// caught: compile time
// expect: operand C is stored before a product into the fragment; what is stored is complete
#include "fault.hpp"

struct kernel : product {
  static constexpr auto operands =
      sectile::operands(input<"A(M,N)", bf16>(), input<"B(N,N')", bf16>(), output<"C(M,N)", bf16>());
  static constexpr sectile::configuration how{.tile = {{"M", 128}, {"N", 64}}, .stages = 2};

  static constexpr void body(auto& sm, auto A, auto B, auto C) {
    auto [m] = sm.rows_of(C);
    auto acc = sm.accumulator(C);
    for (auto j : sm.pipelined(tiles<"N">(C))) {
      acc += sm.load(A, {m, j}) * sm.load(B, {j, 0});
      sm.store(C, {m, j}, acc);
    }
  }
};
static_assert(verified<kernel>);
