// fault: consumers that a stagger keeps apart exchange parts of columns, and the producer waits for what they hold
// caught: compile time
// expect: a consumer waits for the others' parts of columns, which .stagger = 2 keeps behind it: col_sum() and its like meet in the middle of a tile; leave .stagger out
#include "fault.hpp"

struct kernel {
  static constexpr auto operands =
      sectile::operands(input<"A(M,K)", bf16>(), input<"B(N,K)", bf16>(), input<"R(M,N)", bf16>(),
                        output<"C(M,N)", bf16>(), output<"sums(N)", float>());
  static constexpr sectile::configuration how{
      .tile = {{"M", 128}, {"N", 64}, {"K", 64}}, .stages = 4, .persistent = true, .stagger = 2};
  static constexpr void body(auto& sm, auto A, auto B, auto R, auto C, auto sums) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A))) acc += sm.load(A, {m, k}) * transpose(sm.load(B, {n, k}));
    auto x = acc + sm.load(R, {m, n});
    sm.combine(sums, {n}, x, reduction::add);
    sm.store(C, {m, n}, x);
  }
};
static_assert(verified<kernel>);
