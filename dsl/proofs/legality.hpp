// Proof 1, legality: the tiles, types and configuration can be carried out by instructions that exist.
//
// The rules are in plan/legality.hpp and are applied while a plan is built, which ends with the first that is broken.
// Here they are applied to the plan as it came out.
#pragma once
#include <sectile/dsl/plan/build.hpp>

namespace sectile {

constexpr violation check_legality(const plan& p) {
  if (!p.refusal.holds()) return p.refusal;
  if (const violation v = check_declarations(p); !v.holds()) return v;
  if (const violation v = check_reads(p); !v.holds()) return v;
  return check_products(p);
}

}  // namespace sectile
