// fault: a product of f32, which tensor cores take only as tf32
// caught: compile time
// expect: wgmma has no f32 x f32 -> f32; no product takes f32: declare it as tf32, a float in memory whose upper 19 bits are multiplied, or as bf16 or f16
#include "fault.hpp"

struct kernel : product {
  static constexpr auto operands =
      sectile::operands(input<"A(M,K)", float>(), input<"B(N,K)", float>(), output<"C(M,N)", bf16>());
};
static_assert(verified<kernel>);
