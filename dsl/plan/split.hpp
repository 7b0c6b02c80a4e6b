// Loops that several CTAs share: each makes a part of the trips, and what they have summed is added up in one order
// (docs/design/splits.md).
//
// A body may be split if nothing but sums is carried from trip to trip. A sum is a fragment that begins with nothing,
// and to which a trip adds what does not hang on it: acc += a * b; sum = sum + x, sum += x, sum -= x, and sum = fma(x,
// y, sum), where x and y are the trip's own. Sums meet where the body first uses them behind the loops. More parts than
// a cluster has room for meet in global memory: see workspace.hpp.
#pragma once
#include <sectile/dsl/plan/plan.hpp>
#include <sectile/dsl/plan/stream.hpp>
#include <sectile/dsl/plan/trace.hpp>
#include <sectile/dsl/plan/workspace.hpp>

namespace sectile {

/// A meeting of more parts than this goes in two rounds: then the first CTA reads two times what a tile has of sums,
/// instead of once for each part.
constexpr int most_parts_at_once = 3;

/// Where four words of a thread's sums lie in its CTA, of `quads` quads behind each other from `begin` on: bytes from
/// the shared base. Threads that are neighbours write pieces of 16 bytes that are, so a warp meets no bank twice.
constexpr int sums_offset(int begin, int quads, int consumer, int quad, int thread) {
  return begin + ((consumer * quads + quad) * warpgroup + thread) * 16;
}
/// Quads of a thread's sums, and those that the CTA with the largest share of them adds up.
constexpr int quads_of(const meeting_plan& m) { return m.words / 4; }
constexpr int quads_of_share(const meeting_plan& m, int parts) { return part_of_trips(quads_of(m), 0, parts).count; }

/// What a configuration can be besides.
constexpr violation check_split(const configuration& s) {
  if (s.split < 1)
    return refuse(rule::configuration_does_not_fit_the_program, "split = ", s.split,
                  " parts of a tile; from 1, which is ", "the whole of it, to ", most_parts, " are possible");
  if (s.split > most_parts)
    return refuse(rule::configuration_does_not_fit_the_program, "split = ", s.split, " parts of a tile; from 1 to ",
                  most_parts,
                  " are possible, since whoever adds them up reads all of them; split less, or use smaller "
                  "tiles, of which there are more");
  if (s.apart && s.split == 1)
    return refuse(rule::configuration_does_not_fit_the_program,
                  "apart = true, of parts that a tile does not have: ", "split = 1; say how many, or leave out .apart");
  if (s.fan_in != 0 && (s.fan_in < 2 || s.fan_in >= s.split))
    return refuse(rule::configuration_does_not_fit_the_program, "fan_in = ", s.fan_in, ": of split = ", s.split,
                  " parts so many meet at once, from 2 to ", s.split > 2 ? s.split - 1 : 2,
                  "; 0, which is all of them, ", "is what there is without it");
  if (s.fan_in != 0 && !s.uses_workspace())
    return refuse(rule::configuration_does_not_fit_the_program, "fan_in = ", s.fan_in, ": the ", s.split,
                  " parts of a ",
                  "tile meet in a cluster, where one reads them all; add .apart = true, or leave out .fan_in");
  if (s.split > 1 && (s.persistent || s.pingpong || s.stagger > 0))
    return refuse(rule::configuration_does_not_fit_the_program, "split = ", s.split, ": the parts of a tile meet when ",
                  "the loops of its CTAs are over, so a CTA makes one tile; leave out ",
                  s.persistent ? ".persistent"
                  : s.pingpong ? ".pingpong"
                               : ".stagger");
  return {};
}

/// The same of tiles that are cut for the end.
constexpr violation check_streamed(const configuration& s) {
  if (!s.streamed) return {};
  const auto no = [](sentence why) {
    return refuse(rule::configuration_does_not_fit_the_program, ".streamed = true", why);
  };
  if (s.split > 1)
    return no(sentence{} << " and split = " << s.split << ": one cuts the tiles of the last wave, the other all of "
                         << "them; leave out one of the two");
  if (s.dynamic)
    return no(sentence{} << " and .dynamic = true: which part of a tile a cluster makes follows from its number, so it "
                         << "draws none; leave out one of the two");
  if (!s.persistent)
    return no(sentence{} << ": a cluster makes whole tiles, and then its part of those that are left, so it must walk "
                         << "over several: add .persistent = true");
  if (s.pingpong || s.own_tiles || s.stagger > 0)
    return no(sentence{} << ": the consumers of a CTA leave their parts of a tile together; leave out "
                         << (s.pingpong    ? ".pingpong"
                             : s.own_tiles ? ".own_tiles"
                                           : ".stagger"));
  return {};
}

/// The last event before number `i` that has to do with the same fragment, -1: none.
constexpr int event_before(const trace& t, int i) {
  for (int j = i - 1; j >= 0; --j)
    if (t.at[j].value == t.at[i].value || t.at[j].a_value == t.at[i].value) return j;
  return -1;
}
/// Whether sums are used at event `i` for the first time since a loop has added to them, outside of loops.
constexpr bool is_meeting(const trace& t, int i) {
  const event& e = t.at[i];
  if (t.shares) return e.merges;
  if ((e.kind != event_kind::touch && e.kind != event_kind::store) || e.loop >= 0) return false;
  const int before = event_before(t, i);
  return before >= 0 && t.at[before].loop >= 0 && t.at[before].value == e.value;
}
/// The product that reached them last; nullptr: none did.
constexpr const product_plan* product_before(const plan& p, const trace& t, int i) {
  int at = i - 1, n = 0;
  while (at >= 0 && (t.at[at].kind != event_kind::issue || t.at[at].value != t.at[i].value)) --at;
  while (at >= 0 && n < p.products.count && p.products.position[n] != t.at[at].position) ++n;
  return at >= 0 && n < p.products.count ? &p.products.at[n] : nullptr;
}

/// Why the loops of a body cannot be divided among CTAs: it carries more than sums from trip to trip.
constexpr const char* why_undivided(loop_use use) {
  switch (use) {
    case loop_use::sums:
      break;
    case loop_use::inner_loop:
      return "one of its loops stands in another";
    case loop_use::older_trip:
      return "a trip overwrites rows, columns or a part of a vector from before it";
    case loop_use::reduction:
      return "rows or columns are reduced in a loop, not behind it";
    case loop_use::store:
      return "an output is stored in a loop";
    case loop_use::older_fragment:
      return "a loop uses or overwrites a fragment from before it";
    case loop_use::begun_sums:
      return "sums begin with something, which each part would add";
  }
  return nullptr;
}

/// What divides the loops, as the configuration says it.
constexpr sentence division_text(const configuration& s) {
  return s.streamed ? sentence{} << ".streamed = true" : sentence{} << "split = " << s.split;
}
/// Whether the one loop of a streamed body turns as often for one tile as for another; `t`, `other`: runs for two.
constexpr violation check_equal_trips(const plan& p, const trace& t, const trace& other) {
  if (!p.how.streamed) return {};
  const auto asked = [](const trace& of) {
    for (int i = 0; i < of.events; ++i)
      if (of.at[i].kind == event_kind::loop) return of.at[i].coordinate[0];
    return 0;
  };
  if (asked(t) == asked(other)) return {};
  return refuse(rule::configuration_does_not_fit_the_program,
                ".streamed = true shares out the trips of tiles that are ", "alike, but the loop makes ", asked(t),
                " for one tile and ", asked(other), " for another of the same ",
                "problem; use .dynamic, whose clusters draw tiles that differ");
}

constexpr int count_meetings(const trace& t) {
  return sum_of(t.events, [&](int i) { return is_meeting(t, i); });
}
constexpr violation check_meeting_count(const plan& p, int meetings) {
  meetings += p.how.fan_in > 0;
  if (meetings <= max_meetings) return {};
  return refuse(rule::too_many_barriers, division_text(p.how), ": the parts of ", meetings, " sums meet, of at most ",
                max_meetings);
}
/// The same of a body that asks for its share of the trips: what parts make is one before any of it is used.
constexpr violation check_merges(const plan& p, const trace& t) {
  const auto no = [](const auto&... why) { return refuse(rule::configuration_does_not_fit_the_program, why...); };
  if (p.how.streamed)
    return no(
        ".streamed = true divides the trips of a tile by its place, and sm.own_trips() those of each tile; use .split");
  switch (t.flaw) {
    case merge_flaw::none:
      break;
    case merge_flaw::stored_before:
      return no(division_text(p.how),
                ": the body stores what one part has made of its sm.own_trips(); it is merged with ",
                "what the others have made first, by sm.merge(f, x ..)");
    case merge_flaw::in_a_loop:
      return no(
          "sm.merge() stands in a loop: parts of a tile become one when their loops are over; write it behind them");
    case merge_flaw::does_more:
      return no(
          "sm.merge(f, ..): f does more than compute with elements; what it loads, multiplies, reduces or stores ",
          "stands before sm.merge(), where each part does so, or behind it; so does what hangs on an element's place");
    case merge_flaw::left_out:
      return no("a value that one part has made is used behind sm.merge(f, x ..), which does not name it, or in its ",
                "f; name it there, or make it behind that");
    case merge_flaw::merged_again:
      return no(
          "sm.merge() names what another one has put together before, or what is made of that: each part's would ",
          "count again; name each value once, in the first sm.merge() that needs it");
    case merge_flaw::lost:
      return no(
          "sm.merge(f, x ..): f does not read both parts' value number ", t.flaw_of, " and make it what they are ",
          "together, as a += its_a does, so one part's is lost; what all parts have alike is made behind sm.merge()");
  }
  return check_meeting_count(p, count_meetings(t));
}

/// Whether a body can be split, from a run with two trips of each loop.
constexpr violation check_split(const plan& p, const trace& t) {
  if (!p.splits() || t.limit != trace_limit::none) return {};
  if (t.shares) return check_merges(p, t);
  if (p.how.fan_in > 0)
    return refuse(rule::configuration_does_not_fit_the_program, "fan_in = ", p.how.fan_in, ": sums of parts are added ",
                  "one after the other; only parts that a body merges, by sm.merge(f, x ..), meet by so many at once");
  for (const event& e : t)
    if (e.merges)
      return refuse(rule::configuration_does_not_fit_the_program, division_text(p.how), ": sm.merge() puts together ",
                    "what parts of the trips make, and each CTA makes all of them; take const auto [first, end] = ",
                    "sm.own_trips(0, n), and loop from first to end");
  const auto no = [&](const char* why, const char* way_out) {
    return refuse(rule::configuration_does_not_fit_the_program, division_text(p.how),
                  " divides the trips of loops, but ", why, "; ", way_out);
  };
  constexpr const char* only_sums =
      "a loop that is split carries only sums from trip to trip: acc += a * b or sum = fma(x, y, sum)";
  const char* leave_out = p.how.streamed ? "leave out .streamed" : "leave out .split";
  if (p.loops.count == 0) return no("it has none", leave_out);
  if (p.how.streamed && p.loops.count > 1)
    return no("it has several, and a range of trips is of one", "write one loop, or use .split");
  if (const char* why = why_undivided(t.loops_carry))
    return no(why, t.loops_carry == loop_use::begun_sums
                       ? "sm.accumulator(C) is zeros as it is, and what else there is comes behind the loop"
                       : only_sums);
  bool met = false;
  int meetings = 0;
  for (int i = 0; i < t.events; ++i) {
    const event& e = t.at[i];
    if (e.kind == event_kind::issue && e.loop < 0)
      return no("a product stands outside of them, which each part would add", "multiply in a loop");
    if ((e.kind == event_kind::issue || e.kind == event_kind::touch) && e.loop >= 0 && met)
      return no("sums are used before the last loop", only_sums);
    for (const int load : {e.a_load, e.b_load})
      if (load >= 0 && t.at[load].trip >= 0 && t.at[load].trip != e.trip)
        return no("a tile is used in another trip than it is loaded in", only_sums);
    for (int j = 0; j < i && e.takes_a(); ++j)
      if (t.at[j].kind == event_kind::issue && t.at[j].value == e.a_value && t.at[j].trip != e.trip)
        return no(why_undivided(loop_use::older_fragment), only_sums);
    if (!is_meeting(t, i)) continue;
    met = true;
    ++meetings;
    const product_plan* product = product_before(p, t, i);
    if (product && product->instruction.d.bits != 32)
      return no("sums of f16 lose too much when parts of them are added", "sum in float: as<float>()");
    if (product && product->instruction.saturate) return no("clamped sums cannot be added up in parts", leave_out);
  }
  if (meetings == 0) return no("nothing that they sum is used behind them", leave_out);
  return check_meeting_count(p, meetings);
}

/// Whether the stages of ring `r` are filled in loops.
constexpr bool is_loaded_in_a_loop(const plan& p, const trace& t, int r) {
  for (int i = 0; i < t.events; ++i)
    if (t.at[i].kind == event_kind::load && t.at[i].loop >= 0 && p.operand[t.at[i].operand].ring == r) return true;
  return false;
}

/// Marks where sums meet. Precondition: check_split() holds of the run.
constexpr void plan_meetings(const trace& t, plan& p) {
  if (!p.splits()) return;
  p.shares = t.shares;
  for (int i = 0; i < t.events; ++i) {
    if (!is_meeting(t, i)) continue;
    step& s = p.steps[t.at[i].position];
    s.meeting = static_cast<std::int8_t>(p.meetings);
    meeting_plan& m = p.meeting[p.meetings++];
    m.words = t.at[i].words;
    if (t.shares) m.end = t.at[i].coordinate[0];
    if (p.how.uses_workspace()) continue;  // which takes no shared memory
    s.wait = 0;                            // products into other sums may still read the stages
    m.rounds = !t.shares && p.how.split > most_parts_at_once && quads_of(m) >= p.how.split ? 2 : 1;
  }
  if (p.how.fan_in > 0) p.meeting[p.meetings].words = p.meeting[0].words;  // of groups
  if (p.how.uses_workspace()) return;
  int most = 0;  // of a ring that all consumers have read
  for (int r = 0; r < p.rings; ++r) {
    int bytes = 0;
    for (int i = 0; i < p.ring[r].members; ++i)
      bytes += p.ring[r].stages * stage_bytes_of(p.operand[p.ring[r].member[i]].facts);
    if (!is_loaded_in_a_loop(p, t, r) || bytes <= most || p.ring[r].lanes > 1) continue;
    p.sums_ring = r;
    most = bytes;
  }
}

/// Bytes of all consumers' sums in shared memory, and of the shares that a CTA adds up.
constexpr int partial_sums_bytes(const plan_head& p, const meeting_plan& m) {
  return m.rounds > 0 ? p.how.consumers * quads_of(m) * warpgroup * 16 : 0;
}
constexpr int shares_bytes(const plan_head& p, const meeting_plan& m) {
  return m.rounds == 2 ? p.how.consumers * quads_of_share(m, p.how.split) * warpgroup * 16 : 0;
}
constexpr int partial_sums_bytes(const plan_head& p) {
  return sum_of(p.meetings, [&](int n) { return partial_sums_bytes(p, p.meeting[n]) + shares_bytes(p, p.meeting[n]); });
}
/// Gives partial sums their place: that of the stages, into which nothing is loaded any more.
constexpr void place_partial_sums(plan& p) {
  if (p.how.uses_workspace()) return;
  int at = p.ring[p.sums_ring].offset;
  for (int n = 0; n < p.meetings; ++n) {
    meeting_plan& m = p.meeting[n];
    m.offset = at;
    m.shares = at + partial_sums_bytes(p, m);
    at = m.shares + shares_bytes(p, m);
  }
}
constexpr violation check_partial_sums(const plan& p) {
  const ring_plan& r = p.ring[p.sums_ring];
  const int needed = partial_sums_bytes(p), room = r.stages * r.stage_bytes;
  if (needed <= room) return {};
  return refuse(rule::stages_do_not_fit_in_shared_memory, "split = ", p.how.split, ": partial sums of ", needed,
                " bytes lie where the stages of ", p.operand[r.member[0]].facts.name, " were, which have ", room,
                "; use more stages, or a smaller tile");
}

/// The barriers at which a consumer waits for those of the other parts.
constexpr int count_meeting_barriers(const plan_head& p) {
  return sum_of(p.meetings, [&](int n) { return p.how.consumers * p.meeting[n].rounds; });
}
constexpr int place_meeting_barriers(plan& p, int at) {
  for (int n = 0; n < p.meetings; ++n) {
    p.meeting[n].barrier = at;
    at += 8 * p.how.consumers * p.meeting[n].rounds;
  }
  return at;
}
/// That of round `round` of a consumer: byte offset.
constexpr int meeting_barrier(const meeting_plan& m, int consumer, int round) {
  return m.barrier + 8 * (consumer * m.rounds + round);
}
/// The named barrier at which the consumers of a CTA meet before one of them writes where another may still read, or
/// before one of them says for all that their sums are in the workspace. (No kernel that is split has turns.)
constexpr int sums_barrier(int consumers) { return ordered_barrier(consumers, 0); }

/// Proof 6, of loops that are split: every trip belongs to one part, in the order of the parts. Tried for loops of up
/// to a few trips for each.
constexpr violation check_parts(const plan& p, trip_part (&part_of)(int, int, int) = part_of_trips) {
  for (int trips = 0; trips <= 3 * p.how.split + 1; ++trips) {
    int next = 0;
    for (int part = 0; part < p.how.split; ++part) {
      const trip_part own = part_of(trips, part, p.how.split);
      if (own.first != next || own.count < 0)
        return refuse(rule::epilogue_misses_or_doubles_elements, "part ", part, " of ", p.how.split, " begins at trip ",
                      own.first, " of ", trips, " and makes ", own.count, "; the parts before end at ", next);
      next += own.count;
    }
    if (next != trips)
      return refuse(rule::epilogue_misses_or_doubles_elements, "the ", p.how.split, " parts of a loop make ", next,
                    " of its ", trips, " trips");
  }
  return {};
}

}  // namespace sectile
