// fault: A tile of 16 bits whose rows are shared out among consumers in parts that are no blocks of 64
// caught: compile time
// expect: operand B: a tile of 192 rows x 64 columns does not fill registers, 64 rows for each of 2 consumers; use a multiple of 128 rows
#include "fault.hpp"

/// C = A scaled by the sums of B's columns.
struct kernel {
  static constexpr auto operands =
      sectile::operands(input<"A(M,N)", bf16>(), input<"B(L,N)", bf16>(), output<"C(M,N)", float>());
  static constexpr sectile::configuration how{.tile = {{"M", 128}, {"N", 64}, {"L", 192}}, .stages = 3, .consumers = 2};

  static constexpr void body(auto& sm, auto A, auto B, auto C) {
    auto [m, n] = sm.tile_of(C);
    const auto sums = col_sum(cast<float>(in_registers(sm.load(B, {0, n}))));
    sm.store(C, {m, n}, cast<float>(in_registers(sm.load(A, {m, n}))) * sums);
  }
};
static_assert(verified<kernel>);
