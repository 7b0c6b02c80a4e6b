// fault: more fragments at a time than a thread has registers for, of which one is a product's
// caught: compile time
// expect: fragments of 320 registers per thread do not fit: a consumer has 232, 28 of them for the rest; use smaller tiles or more consumers
#include "fault.hpp"

struct kernel {
  static constexpr auto operands =
      sectile::operands(input<"A(M,K)", bf16>(), input<"B(N,K)", bf16>(), output<"C(M,N)", bf16>());
  static constexpr sectile::configuration how{.tile = {{"M", 128}, {"K", 64}, {"N", 128}}, .stages = 3, .consumers = 2};

  static constexpr void body(auto& sm, auto A, auto B, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto a = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A))) a += sm.load(A, {m, k}) * transpose(sm.load(B, {n, k}));
    auto b = exp2(a), c = b * 0.5f, d = b + c, e = c * d;
    auto most = row_max(e);
    sm.store(C, {m, n}, a + b + c + d + e * most);
  }
};
static_assert(verified<kernel>);
