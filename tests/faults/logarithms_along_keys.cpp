// fault: a row's number is stored along another mode than the rows'
// caught: compile time
// expect: lse is along T (128), what it meets along S (192); a vector goes along one of its modes
// clang-lines: 17
#include <sectile/kernels/attention.hpp>

#include "fault.hpp"

/// Logarithms of sums of exponentials, one for each key.
struct kernel : kernels::attention_of<kernels::attention_form{.dim = 64, .lse = true}> {
  static constexpr auto operands =
      sectile::operands(input<"Q(B,H,S,D)", bf16>(), input<"K(B,H,T,D)", bf16>(), input<"V(B,H,T,D)", bf16>(),
                        output<"O(B,H,S,D)", bf16>(), scalar<"scale", float>(), vector_output<"lse(B,H,T)", float>());
};
static_assert(verified<kernel>);
