// Left factors of narrower elements (program/widened.hpp): in how many parts a product makes them.
//
// A consumer has registers for one such factor. In one part it makes the factor, multiplies, and waits. Two parts are
// two sets of registers that take turns: one is filled while the tensor cores multiply from the other, from trip to
// trip as well. Each part is a group of wgmmas of its own, and a stage goes back when the next trip's first part has
// been issued, so that two stages are not enough to have another one loaded meanwhile. Conversions of 8-bit integers
// take a pipe of a quarter of the rate: a lone consumer, which has nobody to share the tensor cores with, is faster
// when it spreads them between its shuffles.
#pragma once
#include <sectile/dsl/plan/plan.hpp>

namespace sectile {

constexpr int widening_sets = 2;

constexpr bool widens(const product_plan& q) { return q.narrow.bits > 0; }

/// Whether q makes its factor in halves: a half has whole steps of the narrow elements, as lanes exchange them.
constexpr bool has_halves(const product_plan& q, const configuration& how) {
  if (!widens(q) || q.b.k % (widening_sets * a_columns(q.narrow.bits)) != 0) return false;
  return how.consumers > 1 || q.narrow.bits < 8 || q.narrow.kind == number::floating;
}

/// In how many parts the plan's products make them; 0: none does. Waits count products, so that all products are as
/// many groups, or each is one.
constexpr int plan_widening(const plan& p) {
  bool any = false, all_halved = p.how.stages > widening_sets && !p.how.pingpong;
  for (int i = 0; i < p.products.count; ++i) {
    any = any || widens(p.products.at[i]);
    all_halved = all_halved && has_halves(p.products.at[i], p.how);
  }
  return !any ? 0 : all_halved ? widening_sets : 1;
}

/// Groups of wgmmas that each product of the plan is.
constexpr int groups_of_product(const plan_head& p) { return p.widening_parts > 1 ? p.widening_parts : 1; }

/// Registers of one set in each block of 64 rows, and blocks: as many as the largest factor needs.
constexpr int widening_registers(const plan& p) {
  return most_of(p.products.count, 0, [&](int i) {
    const product_plan& q = p.products.at[i];
    return widens(q) ? 4 * q.k_steps / groups_of_product(p) : 0;
  });
}
constexpr int widening_blocks(const plan& p) {
  return most_of(p.products.count, 0, [&](int i) { return widens(p.products.at[i]) ? p.products.at[i].m_blocks : 0; });
}

}  // namespace sectile
