// fault: a function of places that has a condition on a scalar
// caught: compile time
// expect: a condition that is known only at run time decides nothing in a body. Use select(), min(), max() or mask()
#include <sectile/dsl.hpp>

using namespace sectile;

struct kernel {
  static constexpr auto operands =
      sectile::operands(input<"X(M,N)", bf16>(), output<"Y(M,N)", bf16>(), scalar<"w", int>());
  static constexpr sectile::configuration how{.tile = {{"M", 64}, {"N", 128}}, .stages = 3, .consumers = 1};

  static constexpr void body(auto& sm, auto X, auto Y, auto w) {
    auto [m, n] = sm.tile_of(Y);
    auto x = cast<float>(in_registers(sm.load(X, {m, n})));
    x = map_at(x, {m, n}, [=](float v, int row, int col) { return col > row - w ? v : 0.0f; });
    sm.store(Y, {m, n}, x);
  }
};
static_assert(verified<kernel>);
