// fault: sums of a product that are multiplied again before they are cast, in an accumulator of their own
// caught: compile time
// expect: a * b with a fragment of f32, 128 x 64 and a tile of D: an accumulator is no operand yet; write cast<bf16>(a) * b; element by element: a * cast<float>(in_registers(b))
#include "fault.hpp"

struct kernel {
  static constexpr auto operands = sectile::operands(input<"A(M,K)", bf16>(), input<"B(P,K)", bf16>(),
                                                     input<"D(P,N)", bf16>(), output<"C(M,N)", float>());
  static constexpr sectile::configuration how{.tile = {{"M", 128}, {"N", 64}, {"K", 64}, {"P", 64}}, .stages = 3};

  static constexpr void body(auto& sm, auto A, auto B, auto D, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto h = sm.accumulator(sm.load(A, {m, 0}) * transpose(sm.load(B, {0, 0})));
    sm.store(C, {m, n}, sm.accumulator(h * sm.load(D, {0, n})));
  }
};
static_assert(verified<kernel>);
