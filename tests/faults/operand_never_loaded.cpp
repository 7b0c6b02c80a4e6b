// fault: an input that the body does not use
// caught: compile time
// expect: operand D is an input that the body never loads; load it, or take it out of the operands
#include "fault.hpp"

struct kernel {
  static constexpr auto operands =
      sectile::operands(input<"A(M,K)", bf16>(row_major, tile(128, 64)), input<"B(N,K)", bf16>(row_major, tile(64, 64)),
                        input<"D(M,N)", bf16>(row_major, tile(128, 64)),
                        output<"C(M,N)", bf16>(row_major, tile(128, 64)));
  static constexpr sectile::schedule schedule{.stages = 2, .consumers = 2};

  static constexpr void body(auto& sm, auto A, auto B, auto, auto C) { product::body(sm, A, B, C); }
};
static_assert(verified<kernel>);
