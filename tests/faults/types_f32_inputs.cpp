// fault: a product of f32, which tensor cores take only as tf32
// caught: compile time
// expect: wgmma has no f32 x f32 -> f32; A and B can be f16, bf16, tf32, e4m3, e5m2, s8, u8 or b1
#include "fault.hpp"

struct kernel : product {
  static constexpr auto operands =
      sectile::operands(input<"A(M,K)", float>(), input<"B(N,K)", float>(), output<"C(M,N)", bf16>());
};
static_assert(verified<kernel>);
