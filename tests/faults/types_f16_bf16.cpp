// fault: a product of two different 16-bit types
// caught: compile time
// expect: wgmma has no f16 x bf16 -> f32; f16 x f16 -> f16, f16 x f16 -> f32 or bf16 x bf16 -> f32 exist
#include "fault.hpp"

struct kernel : product {
  static constexpr auto operands =
      sectile::operands(input<"A(M,K)", f16>(), input<"B(N,K)", bf16>(), output<"C(M,N)", bf16>());
};
static_assert(verified<kernel>);
