// fault: sums of squares of a tile of tf32 that has been brought into registers
// caught: compile time
// expect: what is packed as tf32 can only be the left factor of a product; for its numbers declare the same memory a second time, as float
#include "fault.hpp"

struct kernel {
  static constexpr auto operands =
      sectile::operands(input<"A(M,K)", tf32>(), input<"B(N,K)", tf32>(), output<"C(M,N)", float>());
  static constexpr sectile::configuration how = product::how.with_tile({{"M", 128}, {"K", 32}, {"N", 64}});

  static constexpr void body(auto& sm, auto A, auto B, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    auto squares = row_sum(sm.accumulator(A));
    for (auto k : sm.pipelined(tiles<"K">(A))) {
      auto a = sm.load(A, {m, k});
      acc += a * transpose(sm.load(B, {n, k}));
      auto x = cast<float>(in_registers(a));
      squares += row_sum(x * x);
    }
    sm.store(C, {m, n}, acc * rsqrt(squares.total()));
  }
};
static_assert(verified<kernel>);
