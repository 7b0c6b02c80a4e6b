// Building the plan of a kernel: trace the body, group loads into rings, derive waits, lay out shared memory, split the
// registers. What cannot be built is refused with the numbers that clash; the proofs then check what was built.
#pragma once
#include <sectile/dsl/plan/gather.hpp>
#include <sectile/dsl/plan/groups.hpp>
#include <sectile/dsl/plan/in_place.hpp>
#include <sectile/dsl/plan/legality.hpp>
#include <sectile/dsl/plan/ordered_sums.hpp>
#include <sectile/dsl/plan/passed_by.hpp>
#include <sectile/dsl/plan/rings.hpp>
#include <sectile/dsl/plan/scatter.hpp>
#include <sectile/dsl/plan/shared_memory.hpp>
#include <sectile/dsl/plan/trace_body.hpp>
#include <sectile/dsl/plan/waits.hpp>

namespace sectile {

// ---- multicast

/// The CTAs that fetch a slice each of an operand's tile write it to where TMA may. The swizzle goes by the bits of an
/// address, so a slice may begin anywhere in its pattern, as long as it is one box.
constexpr violation check_slices(const operand_plan& op) {
  const bool one_box = op.facts.strided() <= op.slices * tma_max_box_extent;
  const int least = one_box ? destination_alignment(swizzle_mode::none) / span_bytes(op.swizzle) : 8;  // rows
  if (op.facts.strided() % (least * op.slices) == 0) return {};
  return refuse(rule::cluster_is_illegal, "operand ", op.facts.name, ": ", op.facts.strided(), " rows over ", op.slices,
                " CTAs that fetch a slice each do not begin at multiples of ",
                destination_alignment(swizzle_mode::none), " bytes; use a multiple of ", least * op.slices,
                " rows or another cluster");
}

/// An operand is shared along the cluster's rows (columns) if no load of it hangs on the row (column) of the work's
/// tile, as the types of its coordinates know (program/staged.hpp): what is equal in some clusters may differ in
/// others. The protocol proof checks again that peers ask for the same tile.
constexpr void derive_multicast(const hangs_on (&loads_on)[max_operands], plan& p) {
  const int rows = p.how.cluster.rows, cols = p.how.cluster.cols;
  for (int o = 0; o < p.operands; ++o) {
    operand_plan& op = p.operand[o];
    if (op.facts.kind != operand_kind::input) continue;  // of a vector each CTA fetches its own part
    const bool alone = op.facts.is_gathered();           // a warp copies to its own CTA
    op.varies_with_row = (loads_on[o] & of_tile_row) || rows == 1 || alone;
    op.varies_with_col = (loads_on[o] & of_tile_col) || cols == 1 || alone;
    op.slices = (op.varies_with_row ? 1 : rows) * (op.varies_with_col ? 1 : cols);
    ring_plan& r = p.ring[op.ring];
    r.multicast_rows = r.multicast_rows || !op.varies_with_row;
    r.multicast_cols = r.multicast_cols || !op.varies_with_col;
    r.multicast_all = r.multicast_all || (!op.varies_with_row && !op.varies_with_col);
    if (const violation v = check_slices(op); !v.holds()) p.refusal = v;
    if (((p.trips_on & of_tile_row) && !op.varies_with_row) || ((p.trips_on & of_tile_col) && !op.varies_with_col))
      p.refusal = refuse(rule::multicast_peers_disagree, "operand ", op.facts.name, ": CTAs of a ", rows, " x ", cols,
                         " cluster share its loads but make different numbers of trips; use a cluster of 1 x 1");
  }
}

// ---- which modes are walked

/// Marks the modes of each operand along which a run with several tiles everywhere leaves the first tile.
constexpr void mark_steps(const trace& t, plan& p) {
  for (const event& e : t) {
    if (e.kind != event_kind::load && e.kind != event_kind::store) continue;
    operand_plan& op = p.operand[e.operand];
    for (int d = 0; d < max_rank; ++d)
      if (e.loop < 0 && e.constants >> d & 1)
        op.last[d] = e.coordinate[d] > op.last[d] ? e.coordinate[d] : op.last[d];
      else if (e.coordinate[d] != 0)
        op.stepped[d] = true;
  }
  for (int o = 0; o < p.operands; ++o)
    for (int d = 0; d < max_rank; ++d)
      if (t.vector_steps[o] >> d & 1) p.operand[o].stepped[d] = true;
}

// ---- roles

/// Registers per thread that the kernel is launched with: the most that the SM has, in steps of 8.
constexpr int launch_registers(const plan& p) {
  const int share = register_pool / p.threads / 8 * 8;
  return share < 248 ? share : 248;
}

/// One producer warpgroup, then the consumers. Registers move from the producer to the consumers (setmaxnreg). What can
/// move is what the CTA was launched with: asking for more would wait forever.
constexpr void split_registers(plan& p) {
  const int groups = 1 + p.how.consumers;
  p.threads = groups * warpgroup;
  const int pool = groups * launch_registers(p);  // per thread of a warpgroup, summed over the warpgroups
  const auto share = [&](int producer) {
    const int consumer = (pool - producer) / p.how.consumers / 8 * 8;
    return consumer < 240 ? consumer : 240;
  };
  constexpr int overhead = 40;  // addresses, ring positions, loop counters
  const operand_facts& out = p.operand[p.work].facts;
  const int held = p.accumulator_registers > p.live_registers ? p.accumulator_registers : p.live_registers;
  const int packed = out.rows() * out.cols() * out.type.bits / (64 * 64 * p.how.sharers());
  // In ping-pong, and where consumers have tiles of their own, the others' products run meanwhile anyway. Of several
  // outputs none waits in registers. Nor does one between products whose factors are written to shared memory: ptxas
  // 13.0 then has each product wait for the one before (C7520).
  const bool deferred = p.epilogues == 1 && may_defer(p.how) && p.products.count > 0 && p.placed.places == 0 &&
                        !p.whole_rows && out.type.bits <= 16 && held + packed + overhead <= share(24);
  p.epilogue[0].deferred = deferred;
  if (deferred) p.accumulator_registers += packed;
  if (p.how.consumers == 1) {  // both warpgroups already have what a thread can use
    p.producer_registers = p.consumer_registers = launch_registers(p);
    return;
  }
  const bool heavy = p.accumulator_registers > 144 && p.cuts.count < 2;  // with several cuts producers know more, too
  p.producer_registers = p.gather_warps > 0 ? 56 : p.how.consumers > 2 ? 32 : heavy ? 24 : 40;
  if (p.accumulator_registers + consumer_overhead > share(p.producer_registers)) p.producer_registers = 24;
  p.consumer_registers = share(p.producer_registers);
}

/// Where ordinary instructions first touch sums behind all loops and products; -1: they only store them.
constexpr int first_use_of_results(const trace& t) {
  int at = -1;
  for (int i = t.events - 1; i >= 0 && t.at[i].kind != event_kind::issue; --i) {
    if (t.at[i].kind == event_kind::store) at = -1;  // what is touched behind it is given up
    if (t.at[i].kind == event_kind::touch && t.at[i].trip < 0) at = t.at[i].position;
  }
  return at;
}

/// What follows from the tiles, once it is known what the body does: epilogues, shared memory, registers, arrivals.
constexpr void lay_out(plan& p, const trace& t) {
  lay_out_shared_memory(p);
  if (!p.refusal.holds()) return;
  p.accumulator_registers = count_registers(p, t) + metadata_registers(p);
  split_registers(p);
  if (p.epilogue[0].deferred) p.epilogue[0].last_call = first_use_of_results(t);
  for (int r = 0; r < p.rings; ++r)
    p.ring[r].empty_arrivals = readers_in_cta(p.how, p.ring[r]) * peers(p.ring[r], p.how.cluster);
}

// ---- runs

/// Trips that are tried of each loop: few enough of many loops.
constexpr int trip_choices(const loop_table& l) { return l.count <= 1 ? 4 : 3; }
/// Runs that it takes to try all combinations.
constexpr int combinations(const loop_table& l) {
  int n = 1;
  for (int i = 0; i < l.count; ++i) n *= trip_choices(l);
  return n;
}
/// Sets the loops' trips to combination number `c`: each makes 0 to 3 (or 2) trips. False if one would make fewer than
/// it can.
constexpr bool set_trips(loop_table& l, int c) {
  bool possible = true;
  for (int i = 0; i < l.count; ++i) {
    l.trips[i] = c % trip_choices(l);
    possible = possible && l.trips[i] >= l.least[i];
    c /= trip_choices(l);
  }
  return possible;
}

/// Traces all combinations of trips and lets each add to what the steps must wait for and may release. The first
/// runs, which are all that one loop has, are kept from one step to the next: reading a body costs more than they take.
template <class K>
constexpr void derive_steps(known_loops known, plan& p) {
  constexpr int most_kept = 4;
  const auto run = [&](int c) {
    set_trips(known.loops, c);
    return trace_body<K>({}, known);
  };
  const planner<K> kept[most_kept]{run(0), run(1), run(2), run(3)};
  const auto each_run = [&](auto&& use) {
    for (int c = 0; c < combinations(known.loops); ++c) {
      if (!set_trips(known.loops, c)) continue;
      if (c < most_kept)
        use(kept[c].log);
      else
        use(run(c).log);
    }
  };
  each_run([&](const trace& t) {
    if (p.refusal.holds()) p.refusal = check_limits(t);
    if (p.refusal.holds()) p.refusal = check_residents(p, kept[2].log, t);
    derive_waits(t, p.steps, p.widening_parts);
    p.clears_accumulators = p.clears_accumulators || t.uses_fresh;
  });
  each_run([&](const trace& t) { derive_releases(t, p, p.steps); });
  each_run([&](const trace& t) { count_releases(t, p, p.steps); });
  each_run([&](const trace& t) { mark_meetings(t, p, p.steps); });
  each_run([&](const trace& t) { move_fences(t, p, p.steps); });
  for (step& s : p.steps) s.fence = s.fence && !s.joined();
  if (!p.how.pingpong) return;
  // A turn may span the products around a loop's end, unless that makes the trips differ.
  bool consistent = true;
  for (const bool split_at_loops : {false, true}) {
    if (split_at_loops && consistent) break;
    consistent = true;
    bool seen[max_positions]{};
    each_run([&](const trace& t) {
      consistent = derive_turns(t, p.steps, seen, split_at_loops, p.how.full_turns) && consistent;
    });
  }
  if (!consistent)
    p.refusal =
        refuse(rule::program_is_not_traceable,
               "ping-pong: the consumers must use a product in every trip of the loop, so that they can take turns; "
               "here one runs on into the next: use it in its own trip, or make its left factor there");
}

/// Traces other sizes, tiles, scalars and numbers of trips: the body must do the same in the same places. Notes along
/// which modes it steps, and which inputs may be its output.
template <class K>
constexpr violation check_other_runs(const trace& base, const known_loops& known, plan& p) {
  constexpr scenario others[] = {
      {1, -1, -1, 1, 2}, {5, -1, -1, 3, 6}, {5, 1, 2, 0, 8}, {5, 2, 1, 1000003, 10}, {1001, 777, 613, -1, last_trips}};
  begin_in_place(p);
  begin_counting(p);
  parts_beside parts{};
  begin_parts(p, parts);
  const char* host_call = base.host_call;
  for (const scenario& s : others) {
    const planner<K> run = trace_body<K>(s, known);
    if (!run.log.host_call) host_call = nullptr;
    if (const violation v = check_same_text(p, base, run.log); !v.holds()) return v;
    if (const violation v = check_own_group(p, run.log); !v.holds()) return v;
    if (s.row >= 0 && p.how.streamed) {
      const scenario elsewhere{s.tiles, s.row / 2, s.col / 2, s.scalar, s.first_trip};
      if (const violation v = check_equal_trips(p, run.log, trace_body<K>(elsewhere, known).log); !v.holds()) return v;
    }
    mark_steps(run.log, p);
    mark_in_place(run.log, p);
    mark_vector_outputs(run.log, p);
    mark_counting(run.log, p);
    mark_parts(run.log, p, parts);
    if (s.tiles > 1000) {
      const auto again = [&](const scenario& other) { return trace_body<K>(other, known).log; };
      if (const violation v = check_passed_by(p, base, run.log, again); !v.holds()) return v;
    }
  }
  if (const violation v = check_counting(p); !v.holds()) return v;
  if (const violation v = check_parts(p, parts); !v.holds()) return v;
  return check_host_call(host_call);
}

/// A function that is given to map() and its like answers, and writes nothing that the body computes with: each thread
/// would have a number of its own there. Asked other questions, it would have written another one. (Seen by the
/// compilers that ask, see follow().)
template <class K>
constexpr violation check_written_numbers(const planner<K>& base) {
  if (!base.asks) return {};
  scenario other{};
  other.question = 4.0f;
  const trace again = trace_body<K>(other).log;
  if (again.numbers == base.log.numbers && again.positions == base.log.positions) return {};
  return refuse(rule::function_must_not_be_mutable,
                "a function that is given to map() or its like writes what the body computes with: each thread would "
                "have another number there; of all elements a number is made by row_sum(x), col_sum(x), combine() ..");
}

/// A trip knows its number, and not how many its part has made before it: what it computes with and where it loads
/// hangs on no variable that trips count in. Each loop's second trip is the first one of a run that begins with it.
template <class K>
constexpr violation check_counted_trips(const planner<K>& base) {
  if (!configuration_of<K>.divides_loops() || base.log.shares) return {};
  const planner<K> later = trace_body<K>({.first_trip = 1}, loops_of(base));
  for (int l = 0; l < base.loops.count; ++l) {
    const int first = traced_trips * l + 1;
    if (base.of_trip[first + 1] == later.of_trip[first]) continue;
    return refuse(
        rule::configuration_does_not_fit_the_program, division_text(configuration_of<K>),
        " divides the trips of loops, but a variable of the body counts them, or a trip changes a number that "
        "the next one uses; make it of the trip's own: for (auto k : sm.pipelined(..))");
  }
  return {};
}

/// What the trips of sm.own_trips() load along its mode is a part's own, from the first trip to the last: tried for the
/// last part that has any. (Not what stands outside of loops, or at a constant of the text.)
template <class K>
constexpr violation check_own_trips(const planner<K>& base) {
  if (!base.log.shares || configuration_of<K>.split == 1) return {};
  const operand_table table = all_operands<K>;
  for (const int from : {0, last_trips}) {
    const planner<K> run = trace_body<K>({.first_trip = from, .last_part = true}, loops_of(base));
    for (const event& e : run.log)
      for (int d = 0; e.kind == event_kind::load && e.loop >= 0 && !e.unasked && d < max_rank; ++d) {
        const operand_facts& f = table.at[e.operand];
        const typename planner<K>::own_range* strayed = nullptr;
        for (int n = 0; n < run.owns; ++n) {
          const auto& own = run.own[n];
          if (d >= f.tile.rank || f.mode_at(d) != own.along || own.first == own.end || e.constants >> d & 1) continue;
          if (e.coordinate[d] >= own.first && e.coordinate[d] < own.end) {
            strayed = nullptr;
            break;
          }
          strayed = &own;
        }
        if (strayed)
          return refuse(rule::configuration_does_not_fit_the_program, "a part that is given trips ", strayed->first,
                        " to ", strayed->end - 1, " along ", f.mode_name[d], " by sm.own_trips() loads tile ",
                        e.coordinate[d], " of ", f.name, " in one of them; of first and end a loop is ",
                        "sm.pipelined(end - first), and its trip k loads tile first + k");
      }
  }
  return {};
}

template <class K>
constexpr plan build_plan() {
  plan p{};
  p.how = configuration_of<K>;
  const operand_table table = all_operands<K>;
  p.operands = table.count;
  p.work = find_work(table);
  p.cuts = find_cuts(table);
  for (int n = 0; n < p.cuts.count; ++n) p.operand[p.cuts.ends[n]].stepped[0] = true;  // by the roles
  for (int o = 0; o < table.count; ++o) {
    p.operand[o].facts = table.at[o];
    if (table.at[o].kind == operand_kind::input) p.operand[o].swizzle = swizzle_of(table.at[o]);
  }
  const auto refused_by = [&p](const violation& v) {
    p.refusal = v;
    return !v.holds();
  };
  if (refused_by(check_declarations(p)) || refused_by(check_groups(p)) || refused_by(check_gathers(p)) ||
      refused_by(check_scatters(p)))
    return p;

  // A first run with two trips of every loop shows the body's text.
  fragment_lives lives{};
  const planner<K> base = trace_body<K>({}, {}, &lives);
  const known_loops known = loops_of(base);
  p.products = base.products;
  p.exchange.columns = base.exchanged;
  p.positions = base.log.positions;
  plan_work(base, p);
  p.loops = base.loops;
  begin_vector_outputs(p, base.log);
  // A split's loops may have no trip, which stores of rows would take amiss.
  if (refused_by(check_split(p, base.log))) return p;
  if (refused_by(check_trace(p, base.log)) || refused_by(check_counted_trips<K>(base)) ||
      refused_by(check_own_trips<K>(base)) || refused_by(check_written_numbers(base)) ||
      refused_by(check_wide_tiles(p, base)) || refused_by(check_group_tiles(p)) ||
      refused_by(check_scattered_work(p)) || refused_by(check_reads(p)) ||
      refused_by(check_lanes(p, base.log, base.loads_on)))
    return p;
  p.widening_parts = plan_widening(p);
  if (refused_by(check_products(p))) return p;

  order_epilogues(base.log, p);
  assign_rings(base.log, base.loads_on, p);
  if (!p.refusal.holds()) return p;
  p.live_registers = lives.most_at_once([&](int o) { return p.ring[p.operand[o].ring].resident; });
  derive_multicast(base.loads_on, p);
  if (!p.refusal.holds()) return p;
  plan_boxes(p);
  if (!p.refusal.holds()) return p;
  if (refused_by(check_other_runs<K>(base.log, known, p))) return p;
  mark_index_steps(p);
  derive_steps<K>(known, p);
  if (!p.refusal.holds()) return p;
  mark_stages(p);
  for (int i = 0; i < max_positions; ++i) p.steps[i].loop_end = static_cast<std::int16_t>(base.loop_end[i]);
  p.finish_position = p.positions - 1;
  if (p.how.own_tiles) mark_end_of_turn(p);
  plan_meetings(base.log, p);

  lay_out(p, base.log);
  put_stores_off(base.log, p);
  return p;
}

/// The plan of kernel K, computed once.
template <class K>
inline constexpr plan plan_of = build_plan<K>();

/// Parts of it, which cost less to ask than all of it (see plan_head).
template <class K>
inline constexpr plan_head head_of = plan_of<K>;
template <class K>
inline constexpr configuration how_of = head_of<K>.how;
template <class K>
inline constexpr int parts_of = how_of<K>.split;
template <class K>
inline constexpr bool streams = how_of<K>.streamed;
/// Whether loops are divided where they begin, and not by the body.
template <class K>
inline constexpr bool divides_trips = how_of<K>.divides_loops() && !head_of<K>.shares;
template <class K>
inline constexpr bool uses_workspace = how_of<K>.uses_workspace();
template <class K>
inline constexpr int ordered_sums_of = count_ordered_sums(plan_of<K>);
template <class K, int Ring>
inline constexpr ring_plan ring_of = head_of<K>.ring[Ring];
template <class K, int I>
inline constexpr operand_plan operand_plan_of = plan_of<K>.operand[I];
template <class K>
inline constexpr int meetings_of = head_of<K>.meetings;
template <class K, int N>
inline constexpr meeting_plan meeting_of = head_of<K>.meeting[N];
template <class K>
inline constexpr exchange_plan exchange_of = head_of<K>.exchange;
template <class K>
inline constexpr placed_plan placed_of = head_of<K>.placed;
template <class K>
inline constexpr ticket_plan tickets_of = head_of<K>.tickets;
/// Of a matrix that is stored to: which one it is, in the order of the stores, and how it leaves. Of others: -1, and
/// nothing does.
template <class K, int I>
inline constexpr int output_number = find_epilogue(head_of<K>, I);
template <class K, int I>
inline constexpr epilogue_plan epilogue_of =
    output_number<K, I> < 0 ? epilogue_plan{} : head_of<K>.epilogue[output_number<K, I>];

}  // namespace sectile
