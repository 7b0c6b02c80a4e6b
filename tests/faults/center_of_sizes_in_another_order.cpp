// fault: a block's sizes in another order
// caught: compile time
// expect: center(x, rows, columns): rows counts along N, columns along P, where x has rows along P and columns along N: center(x, size<"P">(X), size<"N">(X))
#include "fault.hpp"

struct kernel {
  static constexpr auto operands = sectile::operands(input<"X(M,P,N)", bf16>(), output<"Y(M,P,N)", bf16>());
  static constexpr sectile::configuration how{
      .tile = {{"P", 8}, {"N", 512}}, .stages = 2, .persistent = true, .swap = true};
  static constexpr void body(auto& sm, auto X, auto Y) {
    auto [m] = sm.block_of(Y);
    auto x = cast<float>(in_registers(sm.load(X, {m, 0, 0})));
    const auto [off, variance] = center(x, size<"N">(X), size<"P">(X));
    sm.store(Y, {m, 0, 0}, (x - off) * rsqrt(variance));
  }
};
static_assert(verified<kernel>);
