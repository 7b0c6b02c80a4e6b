// fault: rows that two CTAs share, reduced in each trip of a loop
// caught: compile time
// expect: rows that CTAs share, shared_rows_of(), are reduced in a loop
#include "fault.hpp"

struct kernel : product {
  static constexpr sectile::configuration how{
      .tile = {{"M", 64}, {"N", 128}, {"K", 64}}, .stages = 2, .cluster = {1, 2}, .consumers = 1, .swap = true};
  static constexpr void body(auto& sm, auto A, auto B, auto C) {
    auto [m, n] = sm.shared_rows_of(C);
    auto acc = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A))) {
      acc += sm.load(A, {m, k}) * transpose(sm.load(B, {n, k}));
      acc *= 1.0f / row_max(acc);
    }
    sm.store(C, {m, n}, acc);
  }
};
static_assert(verified<kernel>);
