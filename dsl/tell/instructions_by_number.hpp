// All instructions of wgmma, by number: for lists of them, and for tests that go through all.
#pragma once
#include <sectile/dsl/plan/instruction_table.hpp>

namespace sectile {

/// Instructions of one family: forms (dense, sparse with each selector) x N x sources and majors x negations x
/// clamping.
constexpr int instructions_of(const instruction_family& f) {
  return (1 + f.selectors) * f.n_choices() * (f.mn_major ? 6 : 2) * (f.negation ? 4 : 1) * (f.saturation ? 2 : 1);
}

/// The number of instructions of all rows.
constexpr int count_instructions() {
  int n = 0;
  const instruction_table table = wgmma_table();
  for (const instruction_family& f : table.at) n += instructions_of(f);
  return n;
}

/// Instruction number i of the family.
constexpr wgmma_instruction instruction_of(const instruction_family& f, int i) {
  const auto digit = [&i](int base) {
    const int d = i % base;
    i /= base;
    return d;
  };
  wgmma_instruction w{f.n_at(digit(f.n_choices())), f.k, f.a, f.b, f.d, false, major::k, major::k};
  const int source = digit(f.mn_major ? 6 : 2);  // shared x majors of A and B, then registers x major of B
  w.a_in_registers = source >= (f.mn_major ? 4 : 1);
  if (f.mn_major) {
    w.a_major = source == 1 || source == 3 ? major::mn : major::k;
    w.b_major = source == 2 || source == 3 || source == 5 ? major::mn : major::k;
  }
  const int negation = digit(f.negation ? 4 : 1);
  w.negate_a = negation % 2;
  w.negate_b = negation / 2;
  w.saturate = digit(f.saturation ? 2 : 1);
  const int form = digit(1 + f.selectors);
  w.sparse = form > 0;
  w.selector = form > 0 ? form - 1 : 0;
  if (w.sparse) w.k *= 2;
  return w;
}

/// Instruction number i of all, 0 <= i < count_instructions(), in the order of the table.
constexpr wgmma_instruction instruction_at(int i) {
  const instruction_table table = wgmma_table();
  for (const instruction_family& f : table.at) {
    if (i < instructions_of(f)) return instruction_of(f, i);
    i -= instructions_of(f);
  }
  return {};
}

}  // namespace sectile
