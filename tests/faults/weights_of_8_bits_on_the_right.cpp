// fault: weights of 8 bits as the right factor of activations of 16
// caught: compile time
// expect: wgmma has no bf16 x s8 -> f32; as a left factor 8 bits can become as wide in registers: sum the transpose, cast<bf16>(in_registers(transpose(b))) * transpose(a), for an output that is col_major
#include "fault.hpp"

struct kernel : product {
  static constexpr auto operands =
      sectile::operands(input<"A(M,K)", bf16>(), input<"B(N,K)", s8>(), output<"C(M,N)", bf16>());
};
static_assert(verified<kernel>);
