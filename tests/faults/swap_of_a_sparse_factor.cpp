// fault: a configuration that swaps, of a program whose left factor is sparse
// caught: compile time
// expect: .swap = true with a sparse factor: registers hold the transpose
#include "fault.hpp"

struct kernel : product {
  static constexpr auto operands =
      sectile::operands(sparse_input<"A(M,K)", bf16>(), input<"B(N,K)", bf16>(), output<"C(M,N)", bf16>());
  static constexpr sectile::configuration how{
      .tile = {{"M", 64}, {"N", 128}, {"K", 64}}, .stages = 2, .consumers = 1, .swap = true};
};
static_assert(verified<kernel>);
