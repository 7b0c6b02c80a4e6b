// fault: a tile for products of a loop alone, which may make no trip, where consumers run behind each other
// caught: compile time
// expect: the producer waits forever for a free stage of A (it has 1): the consumers hold 1 and wait for what is loaded next; a loop may make no trip, where pipelined(at_least_one(n)) makes one
#include "fault.hpp"

struct kernel {
  static constexpr auto operands =
      sectile::operands(input<"A(M,K)", bf16>(), input<"B(N,K)", bf16>(), output<"C(M,N)", bf16>());
  static constexpr configuration how{.tile = {{"M", 128}, {"N", 128}, {"K", 64}}, .stages = 3, .persistent = true, .stagger = 1};

  static constexpr void body(auto& sm, auto A, auto B, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    auto a = sm.load(A, {m, 0});
    for (auto k : sm.pipelined(tiles<"K">(B) - 1)) acc += a * transpose(sm.load(B, {n, k + 1}));
    sm.store(C, {m, n}, acc);
  }
};
static_assert(verified<kernel>);
