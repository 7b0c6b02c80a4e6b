// fault: the part of a vector that goes with a tile, whose modes it does not have
// caught: compile time
// expect: part_of(v, at): no mode of v is one of the place's, M x N; name its coordinates, and with as<"H">(m) what counts along another mode
// clang-lines: 16
#include "fault.hpp"

struct kernel : product {
  static constexpr auto operands = sectile::operands(input<"A(M,K)", bf16>(), input<"B(N,K)", bf16>(),
                                                     output<"C(M,N)", bf16>(), input<"v(H)", float>());
  static constexpr configuration how = product::how.with_tile({{"M", 128}, {"N", 64}, {"K", 64}, {"H", 1}});

  static constexpr void body(auto& sm, auto A, auto B, auto C, auto v) {
    const auto at = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A)))
      acc += sm.load(A, {at.template get<0>(), k}) * transpose(sm.load(B, {at.template get<1>(), k}));
    sm.store(C, at, acc * sm.load(v, part_of(v, at)));
  }
};
static_assert(verified<kernel>);
