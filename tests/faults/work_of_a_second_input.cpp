// fault: the work of a kernel that stores no matrix, divided by its second input
// caught: compile time
// expect: tile_of(B): no matrix is stored, so the work is divided by the tiles of the first one that is read: take tile_of(A), or declare the other in front of it
#include "fault.hpp"

struct kernel {
  static constexpr auto operands =
      sectile::operands(input<"A(M,N)", bf16>(), input<"B(M,N)", bf16>(), output<"most", float>());
  static constexpr configuration how{.tile = {{"M", 128}, {"N", 128}}, .stages = 2};

  static constexpr void body(auto& sm, auto A, auto B, auto most) {
    auto [m, n] = sm.tile_of(B);
    const auto a = cast<float>(in_registers(sm.load(A, {m, n})));
    sm.combine(most, {}, abs(a - sm.load(B, {m, n})), sectile::reduction::max);
  }
};
static_assert(verified<kernel>);
