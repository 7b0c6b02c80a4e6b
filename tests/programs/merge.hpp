// Programs whose parts are merged as the body says, for the tests on the model and on a GPU.
#pragma once
#include <sectile/dsl.hpp>

#include "tests/programs/split.hpp"

namespace sectile::test {

/// Each part's A B^T counts half as much as that of the part behind it: the order of parts is seen, and where they
/// begin.
template <configuration How>
struct decayed_sum {
  static constexpr auto operands =
      sectile::operands(input<"A(M,K)", bf16>(), input<"B(N,K)", bf16>(), output<"C(M,N)", float>());
  static constexpr configuration how = How;
  static constexpr void body(auto& sm, auto A, auto B, auto C) {
    auto [m, n] = sm.tile_of(C);
    const auto [first, end] = sm.own_trips(0, tiles<"K">(A));
    auto acc = sm.accumulator(C);
    for (auto k : sm.pipelined(end - first)) acc += sm.load(A, {m, first + k}) * transpose(sm.load(B, {n, first + k}));
    sm.merge([](auto& x, auto& behind) { x = x * 0.5f + behind; }, acc);
    sm.store(C, {m, n}, acc);
  }
};

/// The largest element of each row of the products that trips make, and their sum, in two meetings.
template <configuration How>
struct largest_and_sum {
  static constexpr auto operands = sectile::operands(input<"A(M,K)", bf16>(), input<"B(N,K)", bf16>(),
                                                     output<"C(M,N)", float>(), vector_output<"most(M)", float>());
  static constexpr configuration how = How;
  static constexpr void body(auto& sm, auto A, auto B, auto C, auto most) {
    auto [m, n] = sm.tile_of(C);
    const auto [first, end] = sm.own_trips(0, tiles<"K">(A));
    auto acc = sm.accumulator(C);
    auto largest = row_sum(acc).total() - 0x1.fffffep127f;  // sums are zeros so far
    for (auto k : sm.pipelined(end - first)) {
      auto s = sm.accumulator(sm.load(A, {m, first + k}) * transpose(sm.load(B, {n, first + k})));
      largest = max(largest, row_max(s));
      acc += s;
    }
    sm.merge([](auto& x, auto& other) { x = max(x, other); }, largest);
    sm.merge([](auto& x, auto& other) { x += other; }, acc);
    sm.store(most, {m}, largest);
    sm.store(C, {m, n}, acc);
  }
};

}  // namespace sectile::test
