// fault: the mean of a matrix of so many elements that no int holds their number
// caught: launch
// expect: with these sizes and scalars the body works out the whole number 4294967296, which no int holds; work it out with floats: 1.0f * size<"M">(C) * size<"N">(C)
#include "running/running.hpp"

namespace product_of_sizes_beyond_an_int {

struct kernel {
  static constexpr auto operands = sectile::operands(input<"A(M,N)", bf16>(), output<"mean", float>());
  static constexpr configuration how{.tile = {{"M", 64}, {"N", 64}}, .stages = 2, .consumers = 1};

  static constexpr void body(auto& sm, auto A, auto mean) {
    auto [m, n] = sm.tile_of(A);
    const auto x = cast<float>(in_registers(sm.load(A, {m, n})));
    sm.combine(mean, {}, x / (size<"M">(A) * size<"N">(A)), reduction::add_in_any_order);
  }
};
static_assert(verified<kernel>);

const running_case here([] {
  std::vector<bf16> row(1 << 16);  // of which all rows are
  float mean = 0;
  run_on_model<kernel>(matrix<const bf16>(row.data(), 1 << 16, 1 << 16, 0), tensor(&mean));
});

}  // namespace product_of_sizes_beyond_an_int
