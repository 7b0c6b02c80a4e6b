// fault: the one number of a row that lies in parts, stored to a vector as if it were a column's
// caught: compile time
// expect: v is along M (1), what it meets along P (8); a vector goes along one of its modes; a tile's one number is combined: sm.combine(v, {..}, x, ..)
#include "fault.hpp"

struct kernel {
  static constexpr auto operands =
      sectile::operands(input<"X(M,P,N)", bf16>(), output<"Y(M,P,N)", bf16>(), output<"v(M)", float>());
  static constexpr sectile::configuration how{
      .tile = {{"M", 1}, {"P", 8}, {"N", 256}}, .stages = 2, .consumers = 1, .persistent = true, .swap = true};

  static constexpr void body(auto& sm, auto X, auto Y, auto v) {
    auto [m] = sm.block_of(Y);
    const auto x = cast<float>(in_registers(sm.load(X, {m, 0, 0})));
    sm.store(v, {m}, col_max(row_max(x)));
    sm.store(Y, {m, 0, 0}, x);
  }
};
static_assert(verified<kernel>);
