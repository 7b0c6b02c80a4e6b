// fault: a sparse tile of one block of rows that two CTAs fetch together
// caught: compile time
// expect: operand A: 2 CTAs fetch a slice each, but the tile has metadata for 1 blocks of 64 rows; use a taller tile or a cluster of fewer columns
#include "fault.hpp"

struct kernel : product {
  static constexpr auto operands =
      sectile::operands(sparse_input<"A(M,K)", bf16>(), input<"B(N,K)", bf16>(), output<"C(M,N)", bf16>());
  static constexpr sectile::configuration how{
      .tile = {{"M", 64}, {"K", 64}, {"N", 64}}, .stages = 2, .cluster = {1, 2}, .consumers = 1};
};
static_assert(verified<kernel>);
