// fault: a sparse operand on a GPU before Hopper
// caught: compile time
// expect: operand A is sparse: only wgmma on sm_90a multiplies sparse operands; build for sm_90a, or store it dense
#include <sectile/dsl/portable/plan.hpp>

#include "fault.hpp"

struct kernel : product {
  static constexpr auto operands =
      sectile::operands(sparse_input<"A(M,K)", bf16>(), input<"B(N,K)", bf16>(), output<"C(M,N)", bf16>());
};
static_assert(portable::readable<kernel, portable::wmma<>>);
