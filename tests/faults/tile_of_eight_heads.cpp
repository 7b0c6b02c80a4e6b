// fault: a tile with as many rows as there are heads, fewer than an instruction has
// caught: compile time
// expect: operand O: tile rows H = 8 do not split into the instruction's 64 rows for each of 1 consumers; use 64
#include "fault.hpp"

struct kernel {
  static constexpr auto operands =
      sectile::operands(input<"Q(G,H,D)", bf16>(), input<"K(G,T,D)", bf16>(), output<"O(G,H,T)", bf16>());
  static constexpr sectile::configuration how{.tile = {{"H", 8}, {"T", 64}, {"D", 128}}, .stages = 2, .consumers = 1};

  static constexpr void body(auto& sm, auto Q, auto K, auto O) {
    auto [g, h, t] = sm.tile_of(O);
    sm.store(O, {g, h, t}, sm.accumulator(sm.load(Q, {g, h, 0}) * transpose(sm.load(K, {g, t, 0}))));
  }
};
static_assert(verified<kernel>);
