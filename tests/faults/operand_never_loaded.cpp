// fault: an input that the body does not use
// caught: compile time
// expect: operand D is an input that the body never loads; load it, or take it out of the operands
#include "fault.hpp"

struct kernel {
  static constexpr auto operands =
      sectile::operands(input<"A(M,K)", bf16>(), input<"B(N,K)", bf16>(), input<"D(M,N)", bf16>(),
                        output<"C(M,N)", bf16>());
  static constexpr sectile::configuration how{.tile = {{"M", 128}, {"K", 64}, {"N", 64}}, .stages = 2, .consumers = 2};

  static constexpr void body(auto& sm, auto A, auto B, auto, auto C) { product::body(sm, A, B, C); }
};
static_assert(verified<kernel>);
