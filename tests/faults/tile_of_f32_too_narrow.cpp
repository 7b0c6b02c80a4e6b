// fault: A tile of f32 that is too narrow for registers
// caught: compile time
// expect: operand R: a tile of 128 rows x 4 columns does not fill registers as sums do, 64 rows for each of 2 consumers and 8 columns at a time
#include "fault.hpp"

struct kernel : product {
  static constexpr auto operands =
      sectile::operands(input<"A(M,K)", bf16>(), input<"B(N,K)", bf16>(), input<"R(M,P)", float>(),
                        output<"C(M,N)", float>());
  static constexpr sectile::configuration how = product::how.with_tile({{"M", 128}, {"N", 64}, {"K", 64}, {"P", 4}});

  static constexpr void body(auto& sm, auto A, auto B, auto R, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A))) acc += sm.load(A, {m, k}) * transpose(sm.load(B, {n, k}));
    acc += row_sum(in_registers(sm.load(R, {m, 0}))).total();
    sm.store(C, {m, n}, acc);
  }
};
static_assert(verified<kernel>);
