// fault: a configuration that swaps, of a program that scales by sums of columns and of rows
// caught: compile time
// expect: .swap = true with a reduction of columns: registers hold the transpose
#include "fault.hpp"

struct kernel : product {
  static constexpr sectile::configuration how{
      .tile = {{"M", 32}, {"N", 64}, {"K", 128}}, .stages = 2, .consumers = 1, .swap = true};

  static constexpr void body(auto& sm, auto A, auto B, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto a = sm.load(A, {m, 0});
    auto b = transpose(sm.load(B, {n, 0}));
    auto acc = sm.accumulator(a * b);
    auto x = cast<float>(in_registers(a));
    auto y = cast<float>(in_registers(b));
    sm.store(C, {m, n}, acc * rsqrt(row_sum(x * x).total()) * rsqrt(col_sum(y * y)));
  }
};
static_assert(verified<kernel>);
