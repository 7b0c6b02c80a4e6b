// fault: the first product overwrites the fragment that it is to be added to
// caught: compile time
// expect: a product with operand B overwrites what its fragment holds; the body adds to that
#include "fault.hpp"

template <class Machine>
struct faulty : wrong<Machine> {
  using wrong<Machine>::wrong;
  int products = 0;
  template <wgmma_instruction I, class D>
  constexpr void wgmma(D& d, std::uint64_t a, std::uint64_t b, bool accumulate) {
    Machine::template wgmma<I>(d, a, b, accumulate && products++ % 4 > 0);
  }
};

/// The sums begin with what lies in memory.
struct added_to_memory {
  static constexpr auto operands = sectile::operands(input<"A(M,K)", bf16>(), input<"B(N,K)", bf16>(),
                                                     input<"R(M,N)", float>(), output<"C(M,N)", float>());
  static constexpr sectile::configuration how = product::how;

  static constexpr void body(auto& sm, auto A, auto B, auto R, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto acc = in_registers(sm.load(R, {m, n}));
    for (auto k : sm.pipelined(tiles<"K">(A))) acc += sm.load(A, {m, k}) * transpose(sm.load(B, {n, k}));
    sm.store(C, {m, n}, acc);
  }
};
static_assert(verified<on_machine<added_to_memory, faulty>>);
