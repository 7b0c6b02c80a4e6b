// Wrong plans, lowered by the real roles.
#pragma once
#include "tests/dsl/all_orders/plans.hpp"

namespace sectile::orders {

/// `Kernel` with another plan (see proof_mutants_test.cpp).
template <class Kernel, auto Tamper>
struct tampered : Kernel {};

}  // namespace sectile::orders

template <class Kernel, auto Tamper>
inline constexpr sectile::plan sectile::plan_of<sectile::orders::tampered<Kernel, Tamper>> =
    Tamper(sectile::plan_of<Kernel>);

namespace sectile::orders {

constexpr plan arrivals(plan p, int more) {
  p.ring[0].empty_arrivals += more;
  return p;
}
constexpr plan one_arrival_less(plan p) { return arrivals(p, -1); }
constexpr plan one_arrival_more(plan p) { return arrivals(p, 1); }
constexpr plan release_while_reading(plan p) {
  for (step& s : p.steps)
    if (s.kind == event_kind::issue) {
      s.wait_after = -1;
      s.keep[0] = 0;
      s.release[0] = 1;
    }
  return p;
}
/// Before the first sum is used, one product may still run: the second loop's, or the first's if the second does not
/// turn.
constexpr plan wait_for_one_less(plan p) {
  for (step& s : p.steps)
    if (s.kind == event_kind::touch && s.wait == 0) {
      s.wait = 1;
      s.keep[1] = 1;
      s.release[1] = 0;
      return p;
    }
  return p;
}

}  // namespace sectile::orders
