// fault: a combination by a function object of C++
// caught: compile time
// expect: combine into v without a reduction: sm.combine(v, {..}, x, reduction::max), or min, add or add_in_any_order
#include "fault.hpp"

#include <functional>

struct kernel : product {
  static constexpr auto operands = sectile::operands(input<"A(M,K)", bf16>(), input<"B(N,K)", bf16>(),
                                                     output<"C(M,N)", bf16>(), output<"v(M)", float>());
  static constexpr void body(auto& sm, auto A, auto B, auto C, auto v) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A))) acc += sm.load(A, {m, k}) * transpose(sm.load(B, {n, k}));
    sm.combine(v, {m}, acc, std::plus<float>());
    sm.store(C, {m, n}, acc);
  }
};
static_assert(verified<kernel>);
