// fault: metadata that names the same place of a group twice
// reported: CUDALibrarySamples#167
// caught: model
// expect: the metadata of row 0, group 0 (columns 0..3) is 0000; its low two bits must be less than its high two bits
#include "running/running.hpp"

namespace metadata_of_equal_places {

struct sparse_products : product {
  static constexpr auto operands =
      sectile::operands(sparse_input<"A(M,K)", bf16>(), input<"B(N,K)", bf16>(), output<"C(M,N)", bf16>());
};

const running_case here([] {
  host_matrix<bf16> A(128, 32), B(64, 64), C(128, 64);
  const std::vector<std::uint32_t> metadata(sparse_metadata_words<bf16>(128, 64), 0);
  run_on_model<sparse_products>(sparse<const bf16>(A.value.data(), metadata.data(), 128, 64), B.in(), C.view());
});

}  // namespace metadata_of_equal_places
