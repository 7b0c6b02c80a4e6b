// fault: a stage that ordinary loads have read is released without a proxy fence: TMA may write before they have read
// reported: triton#7262
// caught: compile time
// expect: stage 0 of A is released to TMA after ordinary loads without a fence.proxy.async behind them
#include "fault.hpp"

struct sum_of_tiles : product {
  static constexpr void body(auto& sm, auto A, auto B, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto sum = cast<float>(in_registers(sm.load(A, {m, 0})));
    for (auto k : sm.pipelined(tiles<"K">(A) - 1)) sum += cast<float>(in_registers(sm.load(A, {m, k + 1})));
    auto s = cast<bf16>(sum);
    auto acc = sm.accumulator(s * transpose(sm.load(B, {n, 0})));
    sm.store(C, {m, n}, acc);
  }
};
template <class Machine>
struct without_fence : wrong<Machine> {
  using wrong<Machine>::wrong;
  constexpr void fence_proxy_async() {}
};
static_assert(verified<on_machine<sum_of_tiles, without_fence>>);
