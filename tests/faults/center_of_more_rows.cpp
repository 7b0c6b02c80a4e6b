// fault: a block's mean over the rows of the tile, of which the matrix has fewer
// caught: model
// expect: is told that there are 8, but along P there are 4: zeros behind them would count; say size<"P">(C)
#include "running/running.hpp"

namespace center_of_more_rows {

struct kernel {
  static constexpr auto operands = sectile::operands(input<"X(M,P,N)", bf16>(), output<"Y(M,P,N)", bf16>());
  static constexpr sectile::configuration how{
      .tile = {{"P", 8}, {"N", 512}}, .stages = 2, .persistent = true, .swap = true};
  static constexpr void body(auto& sm, auto X, auto Y) {
    auto [m] = sm.block_of(Y);
    auto x = cast<float>(in_registers(sm.load(X, {m, 0, 0})));
    const auto [off, variance] = center(x, extent<"P">(X), size<"N">(X));
    sm.store(Y, {m, 0, 0}, (x - off) * rsqrt(variance));
  }
};
const running_case here([] {
  host_matrix<bf16> X(12, 256), Y(12, 256);
  run_on_model_with<kernel>({.workers = 1}, tensor(X.value.data(), 3, 4, 256), tensor(Y.value.data(), 3, 4, 256));
});

}  // namespace center_of_more_rows
