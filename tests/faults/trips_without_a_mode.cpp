// fault: a matrix for what trips store, of which all trips would store the same tile
// caught: compile time
// expect: trip_output P has no mode that C lacks, so all trips of the work of one tile would store the same tile
#include "fault.hpp"

struct kernel : product {
  static constexpr auto operands = sectile::operands(input<"A(M,K)", bf16>(), input<"B(N,K)", bf16>(),
                                                     trip_output<"P(M,N)", bf16>(), output<"C(M,N)", bf16>());
  static constexpr void body(auto& sm, auto A, auto B, auto, auto C) { product::body(sm, A, B, C); }
};
static_assert(verified<kernel>);
