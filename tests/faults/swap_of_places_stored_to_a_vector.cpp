// fault: a configuration that swaps, of a program that stores places in rows and no matrix
// caught: compile time
// expect: .swap = true with the place of an element in its row: registers hold the transpose
#include "fault.hpp"

struct kernel {
  static constexpr auto operands = sectile::operands(input<"X(M,N)", bf16>(), output<"place(M)", s32>());
  static constexpr sectile::configuration how{
      .tile = {{"M", 8}, {"N", 128}}, .stages = 2, .consumers = 1, .persistent = true, .swap = true};

  static constexpr void body(auto& sm, auto X, auto place) {
    auto [m] = sm.rows_of(X);
    auto best = sm.no_elements(X);
    for (auto j : sm.pipelined(tiles<"N">(X)))
      best = max(best, row_argmax(cast<float>(in_registers(sm.load(X, {m, j}))), {m, j}, size<"N">(X)));
    sm.store(place, {m}, best.column);
  }
};
static_assert(verified<kernel>);
