// fault: a register operand that is filled again while a product still reads it
// reported: cutlass#1840
// caught: compile time
// expect: registers of a fragment are used while a product on them may still run: a wait for it is missing
#include "fault.hpp"

struct from_registers : product {
  static constexpr auto operands =
      sectile::operands(input<"A(M,K)", bf16>(), input<"B(N,K)", bf16>(), output<"C(M,K)", bf16>());

  static constexpr void body(auto& sm, auto A, auto B, auto C) {
    auto [m, k] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    for (auto n : sm.pipelined(tiles<"N">(B))) {
      auto b = sm.load(B, {n, k});
      auto scores = sm.accumulator(sm.load(A, {m, k}) * transpose(b));
      acc += cast<bf16>(scores) * b;
    }
    sm.store(C, {m, k}, acc);
  }
};
static_assert(verified<from_registers>);

constexpr plan tampered(plan p) {
  for (step& s : p.steps) s.wait = s.kind == event_kind::touch ? std::int8_t{-1} : s.wait;
  return p;
}
static_assert(verified<with_plan<from_registers, tampered>>);
