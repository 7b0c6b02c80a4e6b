// One run of the protocol's proof: all agents of a cluster go on as far as they can, and what each of them does is
// looked at with what it knows then of the others.
#pragma once
#include <sectile/dsl/proofs/cluster_state.hpp>

namespace sectile::protocol {

/// What the agents of a cluster do, in run number `run` of the proof.
template <class K>
struct cluster_run : cluster_state<K> {
  using state = cluster_state<K>;
  using typename state::agent, typename state::cta_record, typename state::recording_machine;
  using state::agents, state::ctas, state::roles, state::consumers;
  using state::of, state::refusal, state::record_cta;

  constexpr cluster_run() = default;  // nobody has anything to do
  /// `last`: see record().
  constexpr explicit cluster_run(int run, unsigned last = to_all) {
    for (int c = 0; c < ctas; ++c) note(record_cta(of + c * roles, c, run, last));
  }
  /// What CTA c does, recorded by itself.
  constexpr void take(int c, const cta_record& from) {
    for (int r = 0; r < roles; ++r) of[c * roles + r] = from.of[r];
    note(from.refusal);
  }

  /// Runs the agents until all are done or none can go on.
  constexpr void run() {
    for (bool moved = true; moved && refusal.holds();) {
      moved = false;
      for (int i = 0; i < agents && refusal.holds(); ++i)
        while (of[i].next < of[i].log.count && refusal.holds() && step(i)) {
          ++of[i].next;
          moved = true;
        }
    }
    // Who stands at the cluster's barrier waits for whoever stands elsewhere.
    for (const bool at_the_end : {false, true})
      for (int i = 0; i < agents && refusal.holds(); ++i)
        if (of[i].next < of[i].log.count && (of[i].log.at[of[i].next].what == act::gather) == at_the_end)
          refusal = explain_deadlock(i);
    for (int i = 0; i < agents && refusal.holds(); ++i) leave(i);
    for (int c = 0; c < ctas && refusal.holds(); ++c)
      for (int n = 0; n < hardware_barriers; ++n)
        if (hardware[c][n].threads > 0)
          refusal = refuse(rule::protocol_races, "a round of named barrier ", n, " of CTA ", c, " is left open: ",
                           hardware[c][n].threads, " of ", hardware[c][n].expected,
                           " threads have come when the kernel ends");
  }

 private:
  using state::arrive, state::count, state::full_barrier_of, state::in_its_phase, state::initialise,
      state::known_phases, state::lagging;
  using state::barrier, state::everyone, state::exchange, state::factor, state::hardware, state::stage,
      state::sums_left;
  using state::column_barriers, state::ring_barriers, state::sums_barriers;
  using state::has_waited, state::index_of, state::is_for, state::is_full_ticket, state::is_read, state::is_whole;
  using state::may_read, state::name, state::note, state::operand_of, state::place_in_stages, state::place_of,
      state::publish, state::threads_of;
  using state::race, state::reach, state::ready, state::ticket, state::unread_by_no_trip, state::visited;
  using state::workspace;
  using typename state::barrier_place, typename state::clock, typename state::hardware_barrier;
  using typename state::mbarrier, typename state::stage_state;

  constexpr bool step(int i) {
    agent& a = of[i];
    const action& x = a.log.at[a.next];
    const act what = x.what;
    if ((what == act::meet || what == act::announce) && (x.barrier < 0 || x.barrier >= hardware_barriers)) {
      refusal = refuse(rule::too_many_barriers, name(a.role), " uses named barrier ", x.barrier, "; a CTA has ",
                       hardware_barriers);
      return false;
    }
    if (what == act::wait) return wait(i, barrier[a.cta][x.barrier], x);
    if (what == act::meet) return meet(i, hardware[a.cta][x.barrier], x.bytes, threads_of(a));
    if (what == act::gather) return meet(i, everyone, agents * warpgroup, warpgroup);
    ++a.now.at[i];
    switch (what) {
      case act::initialise: initialise(i, x); break;
      case act::publish: publish(i); break;
      case act::begin: begin(a, x.bytes); break;
      case act::arrive:
        if (x.cta < 0 || x.cta >= ctas)
          refusal = refuse(rule::multicast_peers_disagree, name(a.role), " arrives at CTA ", x.cta, " of a cluster of ",
                           ctas);
        else if (ready(i, barrier[x.cta][x.barrier], x.cta) && is_fenced(a, x.barrier) && passes_sums(a, x))
          arrive(x.cta, x.barrier, a.now);
        break;
      case act::expect:
        if (!ready(i, barrier[a.cta][x.barrier], a.cta)) break;
        barrier[a.cta][x.barrier].transactions += x.bytes;
        arrive(a.cta, x.barrier, a.now);
        break;
      case act::load: load(i, x); break;
      case act::copy:
        copy(i, x);
        break;
      case act::arrive_copied:
        arrive_copied(i, x);
        break;
      case act::fence: a.products.fenced = true; break;
      case act::touch: note(a.products.touch(x.fragment, x.bytes)); break;
      case act::multiply: multiply(i, x); break;
      case act::read: read(i, x); break;
      case act::retire: retire(i, x.bytes); break;
      case act::announce:
        if (x.bytes <= warpgroup)
          refusal = refuse(rule::protocol_races, name(a.role), " announces itself at named barrier ", x.barrier,
                           " to nobody: ", x.bytes, " threads are its own, and none of them waits");
        reach(i, hardware[a.cta][x.barrier], x.bytes, threads_of(a));
        break;
      case act::show:
        show_columns(i, x);
        break;
      case act::look:
        look_at_columns(i, x);
        break;
      case act::meet_lanes:
        for (auto& e : exchange) e.meet_lanes(i);
        break;
      case act::place:
        place_factor(i, x);
        break;
      case act::write_panel: note(a.panels.write(x.barrier)); break;
      case act::proxy_fence:
        a.panels.fence();
        factor[a.cta].fence(i);
        a.fencing = a.unfenced;
        a.unshown = 0;
        break;
      case act::store_panel: note(a.panels.store(x.barrier)); break;
      case act::close_store: note(a.panels.close()); break;
      case act::reclaim: a.panels.reclaim(x.bytes); break;
      case act::resize: a.registers = x.bytes; break;
      case act::write_sums:
        write_sums(i, x);
        break;
      case act::read_sums: read_sums(i, x); break;
      case act::leave_part:
        note(parts_of(a).leave(i, a.now, x.bytes, a.role - 1, x.barrier, is_of_groups(x), x.kind == 1));
        a.leaves_sums = true;
        break;
      case act::take_ticket:
        note(parts_of(a).take(i, a.now, x.bytes, a.leaves_sums, a.cta * roles + 1, (a.cta + 1) * roles));
        break;
      case act::await_tickets:
        note(parts_of(a).await(i, a.now, x.bytes, x.kind == 1));
        break;
      case act::read_part:
        note(parts_of(a).read(a.now, x.bytes, a.role - 1, x.barrier, is_of_groups(x)));
        break;
      case act::draw: draw(a, x.bytes); break;
      case act::hand_out: hand_out(i, x); break;
      case act::take_item: take_item(i, x); break;
      case act::wait:
      case act::gather:
      case act::meet: break;
    }
    return true;
  }

  /// What its CTA does in the workspace for the item that the agent is at.
  constexpr workspace_ledger<agents>& parts_of(const agent& a) {
    return workspace[a.cta][head_of<K>.how.streamed ? a.begun - 1 : 0];
  }

  static constexpr bool is_of_groups(const action& x) { return head_of<K>.how.fan_in > 0 && x.bytes == meetings_of<K>; }

  // ---- mbarriers
  /// The parity of a wait tells the parity of the phase it wants: of those that are not known to be complete the first,
  /// or the last that is. A barrier that has run ahead by two would look the same, and so would one that lags.
  constexpr bool wait(int i, mbarrier& b, const action& x) {
    if (!ready(i, b, of[i].cta) || !passes_sums(of[i], x)) return false;
    b.waits[i] = true;
    agent& a = of[i];
    const int known = known_phases(b, i);
    const int wanted = (known & 1) == x.bytes ? known + 1 : known;
    if (b.phases < wanted) return false;
    if (b.phases > wanted) lagging(b, i);
    ++a.now.at[i];
    if (b.phases > 0) a.now.join(b.released);
    b.passed[i] = b.phases;
    b.passed_at[i] = a.now.at[i];
    if (x.barrier < ring_barriers)
      if (const barrier_place at = place_of(x.barrier); at.full && head_of<K>.ring[at.ring].copied_bytes > 0)
        a.unshown |= std::uint64_t{1} << slot_of(at.ring, at.stage);
    return true;
  }

  // ---- TMA loads
  constexpr void load(int i, const action& x) {
    if (x.mask >> ctas) {
      refusal = refuse(rule::multicast_peers_disagree, name(of[i].role), " copies to CTA ",
                       31 - std::countl_zero(x.mask), " of a cluster of ", ctas);
      return;
    }
    for (int c = 0; c < ctas; ++c) {
      if (!(x.mask >> c & 1)) continue;
      if (!ready(i, barrier[c][x.barrier], c)) return;
      fill(i, c, index_of(x.slots), x.barrier, x.bytes);
      if (!refusal.holds()) return;
      count(barrier[c][x.barrier], of[i].now, x.bytes);
    }
  }
  /// Part of a stage of CTA `c` is written, which barrier `number` is to tell of.
  constexpr void fill(int i, int c, int slot, int number, int bytes) {
    stage_state& s = stage[c][place_in_stages(slot)];
    mbarrier& b = barrier[c][number];
    if (slot / max_stages == head_of<K>.sums_ring && has_sums(c)) return race(slot, "is loaded where partial sums lie");
    if (s.fills <= b.phases) {  // the first load of a new round
      s.fills = b.phases + 1;
      s.barrier = number;
      s.bytes = 0;
      s.item = of[i].item;
    }
    if (s.barrier != number) return race(slot, "is filled by copies that signal different barriers");
    s.bytes += bytes;
    if (!is_read(c, slot, s.fills - 1))
      return race(slot, is_read_by_trips_alone(plan_of<K>, trace_body<K>({}).log, slot / max_stages)
                            ? unread_by_no_trip
                            : "is overwritten before a consumer has read it");
    for (int w = c * roles + 1; w < (c + 1) * roles; ++w)
      if (may_read(w, slot, s, of[i].now)) return race(slot, "is overwritten while a consumer may still read it");
    if (!in_its_phase(b, of[i].now)) return race(slot, "is filled before its barrier is known to be free");
  }
  /// Threads copy to their own CTA. They have a stage's full barrier told, or nobody knows when they are done.
  constexpr void copy(int i, const action& x) {
    agent& a = of[i];
    const int slot = index_of(x.slots), number = full_barrier_of(slot);
    if (!ready(i, barrier[a.cta][number], a.cta)) return;
    fill(i, a.cta, slot, number, x.bytes);
    a.copied |= x.slots;
  }
  constexpr void arrive_copied(int i, const action& x) {
    agent& a = of[i];
    for (; a.copied; a.copied &= a.copied - 1)
      if (const int slot = index_of(a.copied); full_barrier_of(slot) != x.barrier)
        return race(slot, "is filled by copies that signal different barriers");
    if (ready(i, barrier[a.cta][x.barrier], a.cta)) arrive(a.cta, x.barrier, a.now, x.bytes);
  }
  // ---- partial sums
  /// At a barrier of a meeting, all warps have written, and what they wrote goes along.
  constexpr bool passes_sums(const agent& a, const action& x) {
    const bool open = x.what == act::arrive && a.leaves_sums;
    if (x.barrier < ring_barriers || x.barrier >= sums_barriers || (x.kind == 1 && !open)) return true;
    refusal = refuse(rule::protocol_races, "a consumer of CTA ", a.cta,
                     open ? " offers partial sums that some of its warps may not have written yet"
                                   : " passes partial sums without release and acquire of the cluster");
    return false;
  }
  /// Partial sums lie where the stages of a ring were: nothing is loaded there any more, and all consumers of the CTA
  /// have done with it.
  constexpr void write_sums(int i, const action& x) {
    agent& a = of[i];
    sums_left[a.cta][x.barrier] = a.now.at[i];
    a.leaves_sums = true;
    constexpr int ring = head_of<K>.sums_ring;
    for (int n = 0; n < head_of<K>.ring[ring].stages; ++n) {
      const int slot = slot_of(ring, n);
      const stage_state& s = stage[a.cta][place_in_stages(slot)];
      if (s.fills > 0 && !has_waited(i, s)) return race(slot, "becomes partial sums while TMA may still write there");
      for (int w = a.cta * roles + 1; w < (a.cta + 1) * roles; ++w)
        if (may_read(w, slot, s, a.now) || s.fills > s.read_fill[w])
          return race(slot, "becomes partial sums while a consumer may still read it");
    }
  }
  constexpr bool has_sums(int cta) const {
    for (const int left : sums_left[cta])
      if (left > 0) return true;
    return false;
  }
  /// A thread reads what the same thread of another CTA has written, before that CTA is gone.
  constexpr void read_sums(int i, const action& x) {
    const agent& a = of[i];
    const int writer = x.cta * roles + a.role;
    visited[x.cta].at[i] = a.now.at[i];
    const int left = sums_left[x.cta][x.barrier];
    if (x.barrier % consumers == a.role - 1 && left > 0 && a.now.at[writer] >= left) return;
    refusal =
        refuse(rule::protocol_races, "consumer ", a.role - 1, " of CTA ", a.cta, " reads partial sums of consumer ",
               x.barrier % consumers, " of CTA ", x.cta, left > 0 ? "" : ", which nobody has left there",
               left > 0 && x.barrier % consumers == a.role - 1 ? " before they are known to be written" : "");
  }

  // ---- products
  constexpr void multiply(int i, const action& x) {
    agent& a = of[i];
    for (std::uint64_t rest = x.slots; rest; rest &= rest - 1) {
      const int slot = index_of(rest);
      stage_state& s = stage[a.cta][place_in_stages(slot)];
      if (!has_waited(i, s)) return race(slot, "is read by a product whose consumer has not waited for it");
      if (!is_whole(slot, s) || !is_for(a, slot, s)) return;
      if (a.unshown >> slot & 1)
        return race(slot, "is read by a product, and no fence.proxy.async shows it what threads have copied there");
      s.reading[i] = true;
      s.read_fill[i] = s.fills;
    }
    if (x.bytes > 0) note(factor[a.cta].read(i, a.now, shares_factor_with(i, x.bytes - 1)));
    note(a.products.issue({x.slots, x.fragment, x.source, x.kind, a.unfenced, x.bytes > 0}));
  }
  // ---- left factors
  /// Whose parts a left factor has that agent i writes or reads: those of the consumers that share its tile. In another
  /// place than theirs it has none, and nobody has written.
  constexpr auto shares_factor_with(int i, int place) const {
    return [this, i, place](int w) {
      constexpr int sharers = head_of<K>.how.sharers();
      const agent &a = of[i], &b = of[w];
      return b.cta == a.cta && b.role > 0 && ((b.role - 1) / sharers == place || b.role == a.role);
    };
  }
  constexpr void place_factor(int i, const action& x) {
    const agent& a = of[i];
    if (x.kind != (a.role - 1) / head_of<K>.how.sharers()) {
      refusal = refuse(rule::protocol_races, "consumer ", a.role - 1, " writes a left factor in place ", x.kind,
                       ", which is another tile's");
      return;
    }
    note(factor[a.cta].write(i, a.now, shares_factor_with(i, x.kind)));
  }
  /// A stage that ordinary loads have read is not released to TMA before a proxy fence, if this is its empty barrier.
  constexpr bool is_fenced(const agent& a, int number) {
    if (number >= ring_barriers) return true;
    const barrier_place at = place_of(number);
    const int slot = slot_of(at.ring, at.stage);
    if (at.full || !(a.unfenced >> slot & 1)) return true;
    race(slot, "is released to TMA after ordinary loads without a fence.proxy.async behind them");
    return false;
  }
  // ---- parts of columns
  /// Whether agents i and w show each other parts of columns: consumers that share a tile, those of other CTAs included
  /// where it is a cluster's.
  constexpr bool exchange_with_each_other(int i, int w) const {
    constexpr cluster_shape shape = head_of<K>.how.cluster;
    constexpr bool across = head_of<K>.exchange.ctas > 1;
    const agent &a = of[i], &b = of[w];
    const bool share = head_of<K>.how.sharers() == 1 ? b.role == a.role : b.role > 0;
    const bool beside = b.cta % shape.rows == a.cta % shape.rows && b.cta / shape.size() == a.cta / shape.size();
    return share && (across ? beside : b.cta == a.cta);
  }
  constexpr void show_columns(int i, const action& x) {
    const agent& a = of[i];
    for (auto& e : exchange) e.pass(i, a.now.at[i]);
    note(exchange[x.kind % 2].show(i, a.now, x.cta, x.barrier >= 0,
                                   [&](int w) { return of[w].cta == x.cta && exchange_with_each_other(i, w); }));
    if (x.barrier >= 0) bring(i, x, x.bytes, "a part of columns");
  }
  /// Bytes of a store to CTA x.cta that a barrier there counts.
  constexpr void bring(int i, const action& x, int bytes, const char* what) {
    mbarrier& b = barrier[x.cta][x.barrier];
    if (!ready(i, b, x.cta)) return;
    if (!in_its_phase(b, of[i].now)) {
      refusal = refuse(rule::protocol_races, what, " goes to CTA ", x.cta,
                       " before the barrier that counts it is known to be free");
      return;
    }
    count(b, of[i].now, bytes);
  }
  constexpr void look_at_columns(int i, const action& x) {
    note(exchange[x.kind % 2].look(i, of[i].now, of[i].cta, [&](int w) { return exchange_with_each_other(i, w); }));
  }
  // ---- drawn work
  constexpr void begin(agent& a, int item) {
    a.item = item;
    ++a.begun;
  }
  constexpr void draw(agent& a, int tickets) {
    constexpr int items = recorded_parameters<K, recording_machine>.work.count;
    ++a.drawn;
    if (tickets != items)
      refusal = refuse(rule::epilogue_misses_or_doubles_elements, "the counter of drawn work begins again behind ",
                       tickets, " numbers, where there are ", items, " work items");
  }
  constexpr void hand_out(int i, const action& x) {
    if (x.cta < 0 || x.cta >= ctas) {
      refusal = refuse(rule::multicast_peers_disagree, "the number of a work item goes to CTA ", x.cta,
                       " of a cluster of ", ctas);
      return;
    }
    const int phase = barrier[x.cta][x.barrier].phases + 1;
    note(ticket[x.cta][x.kind].write(of[i].now, x.bytes, x.barrier, phase, x.cta * roles, (x.cta + 1) * roles));
    if (refusal.holds()) bring(i, x, ticket_word, "the number of a work item");
  }

  constexpr void take_item(int i, const action& x) {
    const agent& a = of[i];
    ticket_slot<agents>& slot = ticket[a.cta][x.kind];
    const int passed = slot.barrier < 0 ? 0 : barrier[a.cta][slot.barrier].passed[i];
    visited[a.cta].at[i] = a.now.at[i];
    note(slot.read(i, a.now, x.bytes, passed, name(a.role), threads_of(a) == 1));
  }

  /// Ordinary loads: over for all warps when the warpgroup meets behind them.
  constexpr void read(int i, const action& x) {
    agent& a = of[i];
    const int slot = index_of(x.slots);
    stage_state& s = stage[a.cta][place_in_stages(slot)];
    if (!has_waited(i, s)) return race(slot, "is brought into registers by a consumer that has not waited for it");
    if (!is_whole(slot, s) || !is_for(a, slot, s)) return;
    s.read_fill[i] = s.fills;
    a.loading |= x.slots;
    a.unfenced |= x.slots;
    a.fencing &= ~x.slots;
  }
  constexpr void retire(int i, int in_flight) {
    agent& a = of[i];
    const int done = a.products.groups - in_flight;
    if (done <= 0) return;
    const std::uint64_t still = a.products.read_by(done, a.products.groups);
    for (int g = 0; g < done; ++g) a.unfenced &= ~a.products.group[g].loaded;
    for (std::uint64_t over = a.products.read_by(0, done); over; over &= over - 1) {
      stage_state& s = stage[a.cta][place_in_stages(index_of(over))];
      s.read_until[i] = a.now.at[i];
      s.reading[i] = still >> index_of(over) & 1;
    }
    a.products.retire(done);
    bool reads = false;
    for (int g = 0; g < a.products.groups; ++g) reads = reads || a.products.group[g].placed;
    if (!reads) factor[a.cta].retire(i);
  }

  // ---- named barriers
  constexpr bool meet(int i, hardware_barrier& h, int threads, int own) {
    agent& a = of[i];
    if (!a.met) {
      ++a.now.at[i];
      a.met = true;
      a.round = h.rounds;
      for (auto& e : exchange) e.meet(i, a.now.at[i]);
      factor[a.cta].meet(i, a.now.at[i]);
      for (auto& slot : ticket[a.cta]) slot.meet(i, a.now.at[i]);
      h.waits[i] = true;
      reach(i, h, threads, own);
    }
    if (h.rounds == a.round) return false;
    a.met = false;
    a.leaves_sums = false;
    a.panels.meet();
    a.unfenced &= ~a.fencing;
    a.fencing = 0;
    for (; a.loading; a.loading &= a.loading - 1)
      stage[a.cta][place_in_stages(index_of(a.loading))].read_until[i] = a.now.at[i];
    return true;
  }

  /// The end of agent i: nothing that it began is left running, and its CTA stays until all others are done with it.
  constexpr void leave(int i) {
    const agent& a = of[i];
    if (a.products.groups > 0)
      refusal = refuse(rule::registers_are_in_use, name(a.role), " ends with ", a.products.groups,
                       " products in flight: a wait is missing");
    if (a.copied) return race(index_of(a.copied), "is filled by copies that tell no barrier when they are there");
    note(a.panels.leave());
    if (head_of<K>.how.dynamic && a.drawn != (i == 0 ? a.begun : 0))
      refusal = refuse(rule::epilogue_misses_or_doubles_elements, name(a.role), " of CTA ", a.cta, " draws ", a.drawn,
                       " numbers for ", a.begun, " work items: a cluster's first producer draws one for each, or the "
                       "counter does not end as it began");
    if (const int planned = planned_registers(a.role); a.registers != planned)
      refusal = refuse(rule::registers_exceed_the_pool, name(a.role), " has been given ", planned,
                       " registers per thread, its setmaxnreg asks for ", a.registers, " (0: there is none)");
    for (int r = 0; a.role > 0 && r < head_of<K>.rings; ++r)
      for (int n = 0; n < head_of<K>.ring[r].stages; ++n)
        if (const int slot = slot_of(r, n); !is_read(a.cta, slot, stage[a.cta][place_in_stages(slot)].fills))
          return race(slot, unread_by_no_trip);
    for (int number = 0; number < ring_barriers; ++number) {
      const barrier_place at = place_of(number);
      const mbarrier& full = barrier[a.cta][number];
      if (!at.full || head_of<K>.ring[at.ring].resident) continue;
      const mbarrier& empty = barrier[a.cta][number + head_of<K>.ring[at.ring].stages];
      if (full.phases != empty.phases || full.pending != full.expected || empty.pending != empty.expected)
        refusal = refuse(rule::protocol_deadlocks, "stage ", at.stage, " of ", operand_of(at.ring),
                         " is not released as often as it is filled: fills ", full.phases, ", releases ", empty.phases,
                         ", when an output tile is done");
    }
    for (int w = 0; w < agents; ++w)
      if (of[w].cta != a.cta && visited[a.cta].at[w] > a.now.at[w])
        refusal = refuse(rule::protocol_races, "CTA ", a.cta, " may be gone while ", name(of[w].role), " of CTA ",
                         of[w].cta, " still arrives or copies there: a cluster barrier at the end is missing");
  }

  /// What setmaxnreg is to set; 0: nothing.
  static constexpr int planned_registers(int role) {
    constexpr const plan_head& p = head_of<K>;
    return !p.moves_registers() ? 0 : role == 0 ? p.producer_registers : p.consumer_registers;
  }

  /// Why agent i goes no further.
  constexpr violation explain_deadlock(int i) const;
};

}  // namespace sectile::protocol
