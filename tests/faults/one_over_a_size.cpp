// fault: a mean by 1 / size<"N">(X), a whole number divided by a whole number
// caught: launch
// expect: the body divides 1 by 40, a whole number, which makes 0; 1.0f / x is a fraction
#include "running/running.hpp"

namespace one_over_a_size {

struct kernel {
  static constexpr auto operands = sectile::operands(input<"X(M,N)", bf16>(), output<"mean(M)", float>());
  static constexpr configuration how{.tile = {{"M", 64}, {"N", 64}}, .stages = 2, .consumers = 1};

  static constexpr void body(auto& sm, auto X, auto mean) {
    auto [m, n] = sm.wide_tile_of(X);
    const auto x = cast<float>(in_registers(sm.load(X, {m, n})));
    sm.store(mean, {m}, row_sum(x).total() * (1 / size<"N">(X)));
  }
};
static_assert(verified<kernel>);

const running_case here([] {
  host_matrix<bf16> X(64, 40);
  std::vector<float> mean(64);
  run_on_model<kernel>(X.in(), tensor(mean.data(), 64));
});

}  // namespace one_over_a_size
