// Proof 7, banks: no store of an epilogue makes two lanes of a pass meet in a bank.
#pragma once
#include <sectile/dsl/plan/build.hpp>

namespace sectile {

constexpr violation check_panel_banks(const plan& p, const epilogue_plan& e) {
  const operand_facts& out = p.operand[e.operand].facts;
  const int degree = panel_conflicts(e.swizzle, e.row_bytes, stores_of(e, out.type.bits));
  if (degree == 1) return {};
  return refuse(rule::epilogue_has_bank_conflicts, "operand ", out.name, ": the epilogue's stores meet ", degree,
                " times in a bank; use a tile of a multiple of ", 512 / out.type.bits,
                out.order == row_major ? " columns" : " rows");
}
constexpr violation check_banks(const plan& p) {
  for (int n = 0; n < p.epilogues; ++n)
    if (const violation v = check_panel_banks(p, p.epilogue[n]); !v.holds()) return v;
  return {};
}

}  // namespace sectile
