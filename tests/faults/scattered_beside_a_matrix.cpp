// fault: rows that are scattered by a kernel which stores another matrix as well
// caught: compile time
// expect: operand C: a kernel that scatters rows stores no other matrix; give D a kernel of its own
#include "fault.hpp"

struct kernel : scattered_product {
  static constexpr auto operands =
      sectile::operands(input<"A(M,K)", bf16>(), input<"place(M)", s32>(), input<"B(N,K)", bf16>(),
                        scattered_output<"C(M,N)", bf16, "place">(), output<"D(M,N)", bf16>());
  static constexpr void body(auto& sm, auto A, auto, auto B, auto C, auto D) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A))) acc += sm.load(A, {m, k}) * transpose(sm.load(B, {n, k}));
    sm.store(D, {m, n}, acc);
    sm.store(C, {m, n}, acc);
  }
};
static_assert(verified<kernel>);
