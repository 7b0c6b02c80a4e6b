// fault: scales of two tiles of K each, of which the launch is given too few
// caught: launch
// expect: operand scale: with these sizes and scalars number 2 along G is loaded, of 2, which are counted from 0: what it lacks counts as zeros
#include "running/running.hpp"

namespace scales_of_too_few_groups {

struct kernel {
  static constexpr auto operands = sectile::operands(input<"A(M,K)", bf16>(), input<"B(N,K)", bf16>(),
                                                     vector_input<"scale(G,M)", float>(), output<"C(M,N)", bf16>());
  static constexpr sectile::configuration how = product::how;

  static constexpr void body(auto& sm, auto A, auto B, auto scale, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto sum = sm.accumulator(C);
    sum = 0.0f;
    for (auto k : sm.pipelined(tiles<"K">(A))) {
      auto part = sm.accumulator(sm.load(A, {m, k}) * transpose(sm.load(B, {n, k})));
      sum += part * sm.load(scale, {as<"G">(k / 2), m});
    }
    sm.store(C, {m, n}, sum);
  }
};
static_assert(verified<kernel>);

const running_case here([] {
  host_matrix<bf16> A(128, 320), B(64, 320), C(128, 64);
  host_matrix<float> scale(2, 128);
  run_on_model<kernel>(A.in(), B.in(), scale.view(), C.view());
});

}  // namespace scales_of_too_few_groups
