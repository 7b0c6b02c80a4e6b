// fault: scales for blocks of 128 of K, where a tile has 64
// caught: launch
// expect: operand SA: KB = 2 counts tiles along K, but K = 256 takes 4 tiles of 64
#include "running/running.hpp"

namespace too_few_scales_in_memory {

struct kernel : product {
  static constexpr auto operands = sectile::operands(input<"A(M,K)", bf16>(), input<"B(N,K)", bf16>(),
                                                     vector_input<"SA(KB,M)", float>(), output<"C(M,N)", bf16>());

  static constexpr void body(auto& sm, auto A, auto B, auto SA, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto sum = sm.accumulator(C);
    sum = 0.0f;
    for (auto k : sm.pipelined(tiles<"K">(A))) {
      const auto part = sm.accumulator(sm.load(A, {m, k}) * transpose(sm.load(B, {n, k})));
      sum += part * sm.load(SA, {as<"KB">(k), m});
    }
    sm.store(C, {m, n}, sum);
  }
};

const running_case here([] {
  host_matrix<bf16> A(128, 256), B(64, 256), C(128, 64);
  const std::vector<float> scales(2 * 128, 1.0f);
  run_on_model<kernel>(A.in(), B.in(), tensor(scales.data(), 2, 128), C.view());
});

}  // namespace too_few_scales_in_memory
