// fault: a sparse matrix without metadata
// reported: CUDALibrarySamples#167
// caught: launch
// expect: operand A: the pointer to the metadata is null
#include "running/running.hpp"

namespace metadata_missing {

struct sparse_products : product {
  static constexpr auto operands =
      sectile::operands(sparse_input<"A(M,K)", bf16>(), input<"B(N,K)", bf16>(), output<"C(M,N)", bf16>());
};

const running_case here([] {
  host_matrix<bf16> A(128, 32), B(64, 64), C(128, 64);
  run_on_model<sparse_products>(sparse<const bf16>(A.value.data(), nullptr, 128, 64), B.in(), C.view());
});

}  // namespace metadata_missing
