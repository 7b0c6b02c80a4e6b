// fault: a fragment that is fed to the wrong K step of its product
// caught: compile time
// expect: a wgmma multiplies K step 1 of its left factor by K step 0 of operand B
#include "fault.hpp"

struct from_registers : product {
  static constexpr void body(auto& sm, auto A, auto B, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A))) acc += in_registers(sm.load(A, {m, k})) * transpose(sm.load(B, {n, k}));
    sm.store(C, {m, n}, acc);
  }
};
static_assert(verified<from_registers>);

template <class Machine>
struct faulty : wrong<Machine> {
  using wrong<Machine>::wrong;
  template <wgmma_instruction I, class D, class A>
  constexpr void wgmma(D& d, const A& a, int first, std::uint64_t b, bool accumulate) {
    Machine::template wgmma<I>(d, a, first ^ 4, b, accumulate);
  }
};
static_assert(verified<on_machine<from_registers, faulty>>);
