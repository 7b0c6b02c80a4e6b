// fault: more fragments at a time than a thread has registers for, of which one is a product's
// caught: compile time
// expect: fragments of 320 registers per thread do not fit: a consumer has 232, 28 of them for the rest; use smaller tiles or more consumers
#include "fault.hpp"

struct kernel {
  static constexpr auto operands =
      sectile::operands(input<"A(M,K)", bf16>(row_major, tile(128, 64)), input<"B(N,K)", bf16>(row_major, tile(128, 64)),
                        output<"C(M,N)", bf16>(row_major, tile(128, 128)));
  static constexpr sectile::schedule schedule{.stages = 3, .consumers = 2};

  static constexpr void body(auto& sm, auto A, auto B, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto a = sm.accumulator(C);
    for (auto k : sm.pipelined(A.tiles(1))) a += sm.load(A, {m, k}) * transpose(sm.load(B, {n, k}));
    auto b = exp2(a), c = b * 0.5f, d = b + c, e = c * d;
    auto most = row_max(e);
    sm.store(C, {m, n}, a + b + c + d + e * most);
  }
};
static_assert(verified<kernel>);
