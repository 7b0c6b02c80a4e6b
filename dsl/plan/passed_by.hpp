// What the loops of a body pass by: a mode's last tile or its first, which nothing loads, and parts of vectors that are
// loaded one trip too early or too late. Of both a result is made that looks like one, so they are refused where all
// runs agree: a body that means to leave something out does it by a scalar, or by where the work's tile lies.
#pragma once
#include <sectile/dsl/plan/counted_tiles.hpp>
#include <sectile/dsl/plan/groups.hpp>
#include <sectile/dsl/plan/trace_body.hpp>

namespace sectile {

/// Of vectors that count tiles, as `paced` says of those that do: modes of how.tile, a bit each, beside whose tiles all
/// runs have loaded them, one before or one behind.
struct parts_beside {
  std::uint8_t before[max_operands][max_rank]{}, behind[max_operands][max_rank]{};
  bool in_trips[max_operands]{}, begun[max_operands]{};  // loaded there, and in front of a loop
};
constexpr void begin_parts(const plan& p, parts_beside& parts) {
  for (int o = 0; o < p.operands; ++o)
    for (int d = 0; d < max_rank; ++d) parts.before[o][d] = parts.behind[o][d] = p.operand[o].paced[d];
}
constexpr void mark_parts(const trace& t, const plan& p, parts_beside& parts) {
  const auto mark = [&](int o, int trip, const std::int32_t* at) {
    (trip < 0 ? parts.begun : parts.in_trips)[o] = true;
    for (int d = 0; d < p.operand[o].facts.tile.rank && trip >= 0; ++d)
      for (int i = 0; i < max_tiled_modes && (parts.before[o][d] | parts.behind[o][d]) != 0; ++i) {
        const mode_id m = p.how.tile[i].along.name;
        if (!all_are_at(p, t, trip, m, at[d] + 1)) parts.before[o][d] = parts.before[o][d] & ~(1 << i);
        if (!all_are_at(p, t, trip, m, at[d] - 1)) parts.behind[o][d] = parts.behind[o][d] & ~(1 << i);
      }
  };
  for (const event& e : t)
    if (e.kind == event_kind::load && p.operand[e.operand].facts.path == with_tiles)
      mark(e.operand, e.trip, e.coordinate);
  for (int n = 0; n < t.vector_reads && n < max_vector_reads; ++n)
    mark(t.vector_read[n].operand, t.vector_read[n].trip, t.vector_read[n].coordinate);
  if (t.vector_reads > max_vector_reads) parts = {};  // nothing is known of what was not kept
}
constexpr violation check_parts(const plan& p, const parts_beside& parts) {
  for (int o = 0; o < p.operands; ++o)
    for (int d = 0; d < p.operand[o].facts.tile.rank; ++d) {
      const operand_facts& f = p.operand[o].facts;
      const bool early = parts.before[o][d] != 0;
      if (!p.operand[o].stepped[d] || !parts.in_trips[o]) continue;
      if (!early && (parts.behind[o][d] == 0 || parts.begun[o])) continue;
      int i = 0;
      while (((early ? parts.before : parts.behind)[o][d] >> i & 1) == 0) ++i;
      const mode_text m = text_of(p.how.tile[i].along.name);
      return refuse(rule::program_is_not_traceable, "operand ", f.name, ": a trip loads number k ", early ? "- " : "+ ",
                    "1 along ", f.mode_name[d], " with tiles k along ", m.text, ": load both at one coordinate; ",
                    early ? "where it is to begin elsewhere in memory, pass the launch a view that does"
                          : "what a trip loads ahead is loaded for the first one in front of the loop");
    }
  return {};
}

/// The last tile along mode m that a run loads, or the first; -1: it loads none, or nobody knows.
constexpr int reach(const plan& p, const trace& t, mode_id m, bool first = false) {
  int at = -1;
  for (const event& e : t) {
    if (e.kind != event_kind::load || e.unasked) continue;
    if (const operand_facts& f = p.operand[e.operand].facts; f.is_tiled())
      if (const int d = f.position_of(m); d >= 0)
        if (at < 0 || (first ? e.coordinate[d] < at : e.coordinate[d] > at)) at = e.coordinate[d];
  }
  return at;
}
/// Whether loops go over all of mode m, if over any: what the work's place decides, groups and parts that a body asks
/// for are others, and so may be what trips store, as sums that come before a tile.
constexpr bool is_gone_over(const plan& p, mode_id m) {
  const operand_facts& work = p.operand[p.work].facts;
  bool stepped = false;
  for (int o = 0; o < p.operands; ++o) {
    const operand_plan& op = p.operand[o];
    const int d = op.facts.position_of(m);
    if (d < 0 || !op.facts.is_tiled()) continue;
    if (op.made >> d & 1 || position_of_cut(p, o) >= 0) return false;
    stepped = stepped || op.stepped[d];
  }
  const int w = work.position_of(m);
  return stepped && p.trips_on == of_no_place && !p.shares && p.trip_outputs == 0 &&
         (w < 0 || (p.whole_rows && w + 1 == work.tile.rank));
}
/// `base` has 3 tiles along each mode and begins with the first trips, `last` has 1001 and ends with the last ones; run
/// makes others: of 1008 tiles, which all numbers that anybody takes tiles by divide. What is left over of 1001 alone
/// is for the launch to look at.
template <class Run>
constexpr violation check_passed_by(plan& p, const trace& base, const trace& last, Run run) {
  constexpr int tiles = 1001, others = 1008, several = 8;
  for (int i = 0; i < max_tiled_modes; ++i) {
    const mode_id m = p.how.tile[i].along.name;
    if (!is_gone_over(p, m)) continue;
    const int left = tiles - 1 - reach(p, last, m), begin = reach(p, base, m, true);
    const bool late = begin > 0 && reach(p, run(scenario{others, 777, 613, 0, 0}), m, true) == begin;
    const int still_left =
        left > 0 && left <= several ? others - 1 - reach(p, run(scenario{others, 0, 0, 0, last_trips}), m) : -1;
    if (still_left == 0) p.divided_loops = static_cast<std::uint8_t>(p.divided_loops | 1 << i);
    if (!late && (left <= 0 || still_left != left)) continue;
    const mode_place of = place_in_matrices(p, m);
    const operand_facts& f = p.operand[of.operand].facts;
    const int missed = late ? begin : left;
    violation v =
        refuse(rule::program_is_not_traceable, "operand ", f.name, ": nothing loads the ", late ? "first " : "last ");
    if (missed > 1) v << missed << " ";
    return v << (missed > 1 ? "tiles along " : "tile along ") << f.mode_name[of.mode]
             << "; a loop over all of them is sm.pipelined(tiles<\"" << f.mode_name[of.mode] << "\">(" << f.name
             << ")), whose trips are numbered from 0";
  }
  return {};
}

}  // namespace sectile
