// fault: a sparse right factor: wgmma takes only the left one sparse
// caught: compile time
// expect: operand B is sparse and the right factor of a product; wgmma takes only the left one sparse
#include "fault.hpp"

struct kernel : product {
  static constexpr auto operands =
      sectile::operands(input<"A(M,K)", bf16>(), sparse_input<"B(N,K)", bf16>(), output<"C(M,N)", bf16>());
};
static_assert(verified<kernel>);
