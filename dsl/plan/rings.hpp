// Which loads share stages: the rings of a plan, the tiles that stay in one, and where in the body's text a stage begins
// and ends.
#pragma once
#include <sectile/dsl/plan/plan.hpp>
#include <sectile/dsl/plan/trace.hpp>

namespace sectile {

/// How often operand o is loaded in trace t, and whether always once per trip of one and the same loop.
struct load_pattern {
  int loads = 0;
  int loop = -1;             // position of the loop, -1 if there is none or several
  bool once_per_trip = true;
  bool inside_loop = false;  // at least once
  bool constant = true;      // always the same tile, by the body's text
  /// Whether its tile can stay in shared memory from one work item to the next.
  constexpr bool is_resident(const configuration& how) const {
    return how.persistent && loads == 1 && !inside_loop && constant;
  }
};

/// Whether a load's coordinate `d` is that of the CTA's own column of a wide tile, which is the same for all its work.
constexpr bool is_own_column(const plan& p, const trace& t, const event& e, int d) {
  const operand_facts& work = p.operand[p.work].facts;
  return p.wide_tiles && p.operand[e.operand].facts.mode_at(d) == work.col_mode() &&
         e.coordinate[d] == t.tile[work.tile.rank - 1];
}

constexpr load_pattern load_pattern_of(const plan& kernel, const trace& t, int o) {
  load_pattern p{};
  int last_trip = -1;
  for (const event& e : t) {
    if (e.kind != event_kind::load || e.operand != o) continue;
    p.inside_loop = p.inside_loop || e.trip >= 0;
    for (int d = 0; d < kernel.operand[o].facts.tile.rank; ++d)
      p.constant = p.constant && (e.constants >> d & 1 || is_own_column(kernel, t, e, d));
    if (p.loads > 0 && e.loop != p.loop) p.once_per_trip = false;
    if (e.trip < 0 || e.trip == last_trip) p.once_per_trip = false;
    p.loop = e.loop;
    last_trip = e.trip;
    ++p.loads;
  }
  if (!p.once_per_trip) p.loop = -1;
  return p;
}

/// A vector comes with tiles of a loop that loads both equally often, once in each trip.
constexpr violation check_vector_with_tiles(const operand_facts& f, bool comes) {
  if (comes) return {};
  return refuse(rule::program_is_not_traceable, "vector ", f.name,
                " is to come with tiles: load it and a tile once in each trip of one loop, and nowhere else; or leave out "
                "with_tiles");
}

/// A number of stages of its own is that of an operand with a ring; and a ring has no more than `max_stages`.
constexpr violation check_stages(const plan& p, int o, const ring_plan& r) {
  const operand_facts& f = p.operand[o].facts;
  if (f.stages < 0 || r.stages > max_stages)
    return refuse(rule::stages_do_not_fit_in_shared_memory, "operand ", f.name, ": ",
                  f.stages < 0 ? f.stages : r.stages_of_lane(), " stages", r.lanes > 1 ? " for each of " : "",
                  r.lanes > 1 ? sentence{} << r.lanes << " consumers" : sentence{}, ": 1 to ", max_stages,
                  " are possible", r.lanes > 1 ? " in all" : "");
  return {};
}

/// Operands that are loaded exactly once in every trip of the same loop share a ring: one barrier announces them all.
/// (But not one that has a number of stages of its own; and of consumers abreast those that all of them read, and those
/// that each has tiles of.)
/// Any other operand has a ring of its own; one that no loop loads needs no more stages than it is loaded, unless there
/// is no loop at all: then tiles of the output are what a producer runs ahead by. A tile that is the same for all work,
/// as load(gamma, {0, 0}) says, is loaded once by a CTA that walks many items, and stays.
constexpr void assign_rings(const trace& t, const hangs_on (&loads_on)[max_operands], plan& p) {
  load_pattern pattern[max_operands]{};
  const auto lanes_of = [&](int o) { return loads_on[o] & of_tile_row ? p.how.rows_of_cta() : 1; };
  const auto join_ring = [&](int o) {  // of an operand that has one
    pattern[o] = load_pattern_of(p, t, o);
    for (int other = 0; other < p.operands; ++other)
      if (p.operand[other].ring >= 0 && pattern[o].loop >= 0 && pattern[other].loop == pattern[o].loop &&
          pattern[other].loads == pattern[o].loads && lanes_of(other) == lanes_of(o) &&
          p.operand[other].facts.stages == p.operand[o].facts.stages)
        p.operand[o].ring = p.operand[other].ring;
  };
  const auto become_member = [&](int o) {
    ring_plan& r = p.ring[p.operand[o].ring];
    r.member[r.members++] = static_cast<std::int8_t>(o);
  };
  for (int o = 0; o < p.operands; ++o) {
    if (p.operand[o].facts.kind != operand_kind::input) continue;
    join_ring(o);
    if (p.operand[o].ring < 0) {
      if (p.rings == max_rings) {
        p.refusal =
            refuse(rule::too_many_barriers, "the program needs more than ", max_rings,
                   " rings of stages; load operands together, once in every trip of one loop",
                   p.loops.count > 0 ? "" : ", which may have one trip: for (auto once : sm.pipelined(1)) x = ..;");
        return;
      }
      p.operand[o].ring = p.rings;
      const bool ahead = pattern[o].inside_loop || (p.how.persistent && p.loops.count == 0);
      const bool resident = pattern[o].is_resident(p.how);
      const int own = p.operand[o].facts.stages, said = own != 0 ? own : p.how.stages;
      // Of tiles that are loaded once no more are kept than there are, unless CTAs walk and stages for the next work
      // item's have been asked for.
      const bool next = own != 0 && p.how.persistent;
      const bool few = resident || (!ahead && !next && pattern[o].loads < p.how.stages);
      p.ring[p.rings].resident = resident;
      p.ring[p.rings].lanes = lanes_of(o);
      p.ring[p.rings].stages = lanes_of(o) * (few ? pattern[o].loads : said);
      p.refusal = check_stages(p, o, p.ring[p.rings++]);
      if (!p.refusal.holds()) return;
    }
    become_member(o);
  }
  for (int o = 0; o < p.operands; ++o) {
    if (p.operand[o].facts.path != with_tiles) continue;
    join_ring(o);
    p.refusal = check_vector_with_tiles(p.operand[o].facts, p.operand[o].ring >= 0);
    if (!p.refusal.holds()) return;
    become_member(o);
  }
}

/// Whether a tile of ring `r` is loaded outside of loops and still read behind one that loads others into the ring: in
/// trips enough these need its stage, however many there are.
constexpr bool is_held_over_a_loop(const plan& p, const trace& t, int r) {
  const auto loads = [&](const event& e) { return e.kind == event_kind::load && p.operand[e.operand].ring == r; };
  int held = -1;  // the first load outside of loops that one inside follows
  for (int i = 0, outside = -1; i < t.events; ++i) {
    const event& e = t.at[i];
    if (loads(e) && e.trip < 0 && outside < 0) outside = i;
    if (loads(e) && e.trip >= 0) held = outside;
    if (held >= 0 && e.trip < 0 && (e.a_load == held || e.b_load == held)) return true;
  }
  return false;
}

/// Whether all that ring `r` brings is loaded outside of loops, and some of it read inside alone: by nobody, where
/// these make no trip.
constexpr bool is_read_by_trips_alone(const plan& p, const trace& t, int r) {
  bool some = false;
  for (int i = 0; i < t.events; ++i) {
    if (t.at[i].kind != event_kind::load || p.operand[t.at[i].operand].ring != r) continue;
    bool inside = false, outside = t.at[i].trip >= 0;
    for (const event& e : t)
      if (e.a_load == i || e.b_load == i) (e.trip >= 0 ? inside : outside) = true;
    if (t.at[i].trip >= 0) return false;
    some = some || (inside && !outside);
  }
  return some;
}

/// The tile that stays of operand `o`, as a run loads it.
constexpr const event* resident_load(const trace& t, int o) {
  for (const event& e : t)
    if (e.kind == event_kind::load && e.operand == o) return &e;
  return nullptr;
}
/// It is the same one in all runs, unless the body counts on its own.
constexpr violation check_residents(const plan& p, const trace& a, const trace& b) {
  for (int o = 0; o < p.operands; ++o) {
    if (p.operand[o].ring < 0 || !p.ring[p.operand[o].ring].resident) continue;
    const event *x = resident_load(a, o), *y = resident_load(b, o);
    for (int d = 0; x && y && d < p.operand[o].facts.tile.rank; ++d)
      if (x->coordinate[d] != y->coordinate[d] && !(is_own_column(p, a, *x, d) && is_own_column(p, b, *y, d)))
        return refuse(rule::program_is_not_traceable, "operand ", p.operand[o].facts.name, ": one run loads tile ",
                      x->coordinate[d], " along ", p.operand[o].facts.mode_name[d], ", another one tile ",
                      y->coordinate[d], ", by a number that the body counts itself; use what pipelined() and tile_of() "
                      "give");
  }
  return {};
}

/// Operands that share a ring are loaded once in every trip of one loop, so the text alone says which load of a stage
/// is the first one, and which the last. (A role that counted them would have a branch more in every trip, unless the
/// compiler finds out that the count is the same at the beginning of each.)
constexpr void mark_stages(plan& p) {
  int first[max_rings], last[max_rings];
  for (int r = 0; r < max_rings; ++r) first[r] = last[r] = -1;
  for (int i = 0; i < p.positions; ++i) {
    if (p.steps[i].kind != event_kind::load) continue;
    const int r = p.operand[p.steps[i].operand].ring;
    first[r] = first[r] < 0 ? i : first[r];
    last[r] = i;
  }
  for (int i = 0; i < p.positions; ++i) {
    step& s = p.steps[i];
    if (s.kind != event_kind::load) continue;
    const int r = p.operand[s.operand].ring;
    s.opens = p.ring[r].members == 1 || first[r] == i;
    s.closes = p.ring[r].members == 1 || last[r] == i;
  }
}

}  // namespace sectile
