// What the tests of timelines ask of one.
#pragma once
#include <doctest/doctest.h>

#include <map>
#include <sectile/dsl/tell/timeline/statistics.hpp>
#include <sectile/dsl/tell/timeline/timeline_facts.hpp>
#include <sectile/dsl/tell/timeline/timeline_figure.hpp>
#include <string>
#include <tuple>

namespace sectile::test {

using tell::timeline, tell::timeline_event, tell::timeline_kind;

inline int cta_of(const timeline& t, int lane) { return t.lanes.at(static_cast<std::size_t>(lane)).cta; }

/// Calls f(event) for each event of a kind.
template <class F>
void for_each(const timeline& t, timeline_kind kind, F f) {
  for (const timeline_event& e : t.events)
    if (e.kind == kind) f(e);
}
inline int count(const timeline& t, timeline_kind kind) {
  int n = 0;
  for_each(t, kind, [&](const timeline_event&) { ++n; });
  return n;
}

/// CTA, ring, stage, and which of its fills.
using fill = std::tuple<int, int, int, int>;

/// Bytes that are copied for each fill, and when the last of them have landed.
struct landed {
  std::int64_t bytes = 0;
  tell::cycles at = 0;
};
inline std::map<fill, landed> fills_of(const timeline& t) {
  std::map<fill, landed> all;
  for_each(t, timeline_kind::copy, [&](const timeline_event& e) {
    const tell::stage_use& to = e.did.uses.at(0);
    for (int cta = 0; cta < t.from.cluster_size; ++cta) {
      if (!(e.did.ctas >> cta & 1)) continue;
      landed& l = all[{cta, to.ring, to.stage, e.did.fill}];
      l.bytes += e.did.bytes;
      l.at = std::max(l.at, e.end);
    }
  });
  return all;
}

/// The run ended, and no event contradicts another one.
inline void check_sound(const timeline& t) {
  CHECK(t.stopped == "");
  CHECK(tell::contradiction_in(t) == "");
  for (const timeline_event& e : t.events) {
    CHECK(e.end >= e.start);
    CHECK(e.start >= e.issued);
  }
  // A product begins when all that it reads has landed.
  const std::map<fill, landed> fills = fills_of(t);
  for_each(t, timeline_kind::product, [&](const timeline_event& e) {
    for (const tell::stage_use& u : e.did.uses)
      if (u.ring >= 0 && u.ring == e.did.uses.back().ring)
        CHECK(fills.at({cta_of(t, e.by), u.ring, u.stage, e.did.fill}).at <= e.start);
  });
  // A role goes on when the copies of its stage have landed, and not before.
  for_each(t, timeline_kind::wait_full, [&](const timeline_event& e) {
    const tell::recorded_barrier& b = t.from.barriers.at(static_cast<std::size_t>(e.did.barrier));
    const tell::cycles at = fills.at({cta_of(t, e.lane), b.ring, b.stage, e.did.fill}).at;
    CHECK(e.end == std::max(at, e.start));
  });
}

/// Every stage is filled, full, read and empty in this order, and begins and ends empty.
inline void check_states(const timeline& t) {
  using tell::stage_state;
  std::map<std::tuple<int, int, int>, stage_state> now;
  for (const tell::stage_change& c : t.changes) {
    stage_state& before = now[{c.cta, c.ring, c.stage}];
    const bool next = static_cast<int>(c.state) == (static_cast<int>(before) + 1) % 4;
    CHECK(next);
    before = c.state;
  }
  CHECK(!now.empty());
  for (const auto& [stage, last] : now) CHECK(last == stage_state::empty);
}

/// Cycles that consumers of CTA 0 wait for copies after the first product.
inline tell::cycles starved(const timeline& t) {
  const tell::cycles from = tell::statistics_of(t).first_product.at(0);
  tell::cycles sum = 0;
  for_each(t, timeline_kind::wait_full, [&](const timeline_event& e) {
    if (cta_of(t, e.lane) == 0 && e.end > from) sum += e.end - std::max(e.start, from);
  });
  return sum;
}

inline bool contains(const std::string& text, const char* part) { return text.find(part) != std::string::npos; }

}  // namespace sectile::test
