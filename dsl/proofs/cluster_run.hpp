// One run of the protocol's proof: all agents of a cluster go on as far as they can, and what each of them does is
// looked at with what it knows then of the others.
#pragma once
#include <bit>

#include <sectile/dsl/proofs/budgets.hpp>
#include <sectile/dsl/proofs/exchange_ledger.hpp>
#include <sectile/dsl/proofs/panel_ledger.hpp>
#include <sectile/dsl/proofs/product_ledger.hpp>
#include <sectile/dsl/proofs/protocol_runs.hpp>
#include <sectile/dsl/proofs/protocol_state.hpp>
#include <sectile/dsl/proofs/ticket_ledger.hpp>
#include <sectile/dsl/proofs/workspace_ledger.hpp>

namespace sectile::protocol {

template <int Agents, int Capacity>
struct agent {
  action_log<Capacity> log{};
  int next = 0;
  clock<Agents> now{};
  int cta = 0, role = 0;
  product_ledger products{};
  panel_ledger panels{};
  std::uint64_t loading = 0;      // slots that ordinary loads of some warp may still read: until the warpgroup meets
  std::uint64_t unfenced = 0;  // slots they have read, as TMA does not know: until the warpgroup meets behind a fence,
  std::uint64_t fencing = 0;      // (it has fenced these), or a product that takes the registers is complete
  bool met = false;        // has arrived at the named barrier it waits for
  int round = 0;
  int registers = 0;       // per thread, as setmaxnreg has set them; 0: as launched
  int item = -1;             // the work item that its role is at
  int begun = 0, drawn = 0;  // work items
  bool leaves_sums = false;  // some warp may still write partial sums: until the warpgroup meets
};

/// The agents of a cluster and what they share, in run number `run` of the proof.
template <class K>
struct cluster_run {
  static constexpr int ctas = plan_of<K>.how.ctas(), roles = 1 + plan_of<K>.how.consumers;
  static constexpr int agents = ctas * roles;
  static constexpr int consumers = plan_of<K>.how.consumers;
  static constexpr int sums_places = 2 * plan_of<K>.meetings * consumers + 1;
  static constexpr int ring_barriers = 2 * stages_in(plan_of<K>),
                       sums_barriers = ring_barriers + count_meeting_barriers(plan_of<K>),
                       column_barriers = sums_barriers + count_exchange_barriers(plan_of<K>),
                       mbarriers = ring_barriers + count_cluster_barriers(plan_of<K>);
  static constexpr int capacity = log_capacity(plan_of<K>);
  using recording_machine = typename machine_under_test<K, recorder<capacity>>::type;
  using clock = protocol::clock<agents>;
  using agent = protocol::agent<agents, capacity>;
  using mbarrier = protocol::mbarrier<agents>;
  using hardware_barrier = protocol::hardware_barrier<agents>;
  using stage_state = protocol::stage_state<agents>;
  agent of[agents]{};
  mbarrier barrier[ctas][mbarriers]{};
  hardware_barrier hardware[ctas][16]{};
  hardware_barrier everyone{};             // the cluster barrier
  stage_state stage[ctas][stages_in(plan_of<K>)]{};
  int sums_left[ctas][sums_places]{};      // partial sums: the time of the consumer that has left them; 0: nobody
  exchange_ledger<agents, ctas> exchange[2]{};  // of each buffer
  workspace_ledger<agents> workspace[ctas][plan_of<K>.how.streamed ? longest_walk(plan_of<K>.how) : 1]{};  // of items
  ticket_slot<agents> ticket[ctas][ticket_slots]{};
  clock visited[ctas]{};                   // the last access of every agent to a CTA's barriers and stages
  violation refusal{};

  constexpr cluster_run() = default;  // nobody has anything to do
  /// `last`: see record().
  constexpr explicit cluster_run(int run, unsigned last = to_all) {
    for (int c = 0; c < ctas; ++c) note(record_cta(of + c * roles, c, run, last));
  }
  /// What the roles of CTA `c` do in run number `run`, and why that is refused.
  static constexpr violation record_cta(agent* roles_of_cta, int c, int run, unsigned last = to_all) {
    constexpr const plan& p = plan_of<K>;
    const loop_table trips = protocol_trips(p, run);
    violation refusal{};
    for (int r = 0; r < roles; ++r) {
      agent& a = roles_of_cta[r];
      record<K, capacity>(a.log, trips, items_of(p, trips), c, r, nullptr, nullptr, last);
      a.cta = c;
      a.role = r;
      if (a.log.overflow)
        refusal = refuse(rule::program_is_not_traceable, name(r), " does more than ", capacity,
                         " things, for which its plan has room");
      if (a.log.lost)
        refusal = refuse(rule::program_is_not_traceable,
                         "the body comes to a loop where it has none in its first trips: no break, and nothing that "
                         "loads, multiplies, uses or stores may stand under a run-time if");
      if (a.log.miscounted)
        refusal = refuse(rule::protocol_races, name(r),
                         " waits for a stage, or leaves it, at another load than the first, or the last, of it");
      if (a.log.early && p.how.overlap != launch_overlap::none)
        refusal = refuse(rule::protocol_races, name(r),
                         " touches a tensor before griddepcontrol.wait: the kernel before may still write there");
      if (a.log.stray >= 0)
        refusal = refuse(rule::shared_memory_overlaps, name(r), " uses byte ", a.log.stray,
                         " of shared memory, which is no barrier, stage or epilogue buffer of the plan");
    }
    return refusal;
  }

  /// The same, recorded elsewhere.
  struct cta_record {
    agent of[roles]{};
    violation refusal{};
  };
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
  constexpr void note(const violation& v) {
    if (!v.holds()) refusal = v;
  }
  static constexpr const char* name(int role) { return role == 0 ? "the producer" : "a consumer"; }

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
    if (what == act::meet) return meet(i, hardware[a.cta][x.barrier], x.bytes);
    if (what == act::gather) return meet(i, everyone, agents * warpgroup);
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
      case act::fence: a.products.fenced = true; break;
      case act::touch: note(a.products.touch(x.fragment, x.bytes)); break;
      case act::multiply: multiply(i, x); break;
      case act::read: read(i, x); break;
      case act::retire: retire(i, x.bytes); break;
      case act::announce:
        if (x.bytes <= warpgroup)
          refusal = refuse(rule::protocol_races, name(a.role), " announces itself at named barrier ", x.barrier,
                           " to nobody: ", x.bytes, " threads are its own, and none of them waits");
        reach(i, hardware[a.cta][x.barrier], x.bytes);
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
      case act::write_panel: note(a.panels.write(x.barrier)); break;
      case act::proxy_fence:
        a.panels.fence();
        a.fencing = a.unfenced;
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
        note(parts_of(a).leave(i, a.now, x.bytes, a.role - 1, x.barrier));
        a.leaves_sums = true;
        break;
      case act::take_ticket:
        note(parts_of(a).take(i, a.now, x.bytes, a.leaves_sums, a.cta * roles + 1, (a.cta + 1) * roles));
        break;
      case act::await_tickets:
        note(parts_of(a).await(i, a.now, x.bytes, x.kind == 1));
        break;
      case act::read_part:
        note(parts_of(a).read(a.now, x.bytes, a.role - 1, x.barrier));
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
    return workspace[a.cta][plan_of<K>.how.streamed ? a.begun - 1 : 0];
  }

  // ---- mbarriers
  /// What mbarrier number `number` guards: full barriers of a ring, then its empty ones, then the next ring's.
  struct barrier_place {
    int ring = 0, stage = 0;
    bool full = false;
    const char* operand = "";
  };
  static constexpr barrier_place place_of(int number) {
    constexpr const plan& p = plan_of<K>;
    int ring = 0;
    while (number >= 2 * p.ring[ring].stages) number -= 2 * p.ring[ring++].stages;
    const int stages = p.ring[ring].stages;
    return {ring, number % stages, number < stages, p.operand[p.ring[ring].member[0]].facts.name};
  }
  constexpr void initialise(int i, const action& x) {
    mbarrier& b = barrier[of[i].cta][x.barrier];
    if (b.expected > 0 || x.bytes < 1) {
      refusal = b.expected > 0
                    ? refuse(rule::protocol_races, "a barrier is initialised twice")
                    : refuse(rule::arrivals_differ_from_the_barrier_count, "a barrier counts ", x.bytes, " arrivals");
      return;
    }
    b.expected = b.pending = x.bytes;
    b.author = i;
    b.authored_at = of[i].now.at[i];
  }
  constexpr void publish(int i) {
    for (mbarrier& b : barrier[of[i].cta])
      if (b.expected > 0 && b.author == i) {
        b.published = true;
        b.authored_at = of[i].now.at[i];
      }
  }
  /// Whether agent i may use the barrier of this CTA: it is initialised, in order before i, and visible to TMA and the
  /// cluster.
  constexpr bool ready(int i, const mbarrier& b, int cta) {
    visited[cta].at[i] = of[i].now.at[i];
    if (b.expected > 0 && b.published && of[i].now.at[b.author] >= b.authored_at) return true;
    refusal = refuse(rule::protocol_races, name(of[i].role), " of CTA ", of[i].cta, " uses a barrier of CTA ", cta,
                     b.expected == 0 ? " that nobody has initialised"
                     : b.published   ? " before it is known to be initialised: a cluster barrier is missing"
                                     : " whose initialisation no fence.mbarrier_init has made visible");
    return false;
  }
  /// Phases that agent i knows to be complete because it has waited for them; where consumers have tiles of their own,
  /// because somebody has of whom it knows.
  constexpr int known_phases(const mbarrier& b, int i) const {
    int known = b.passed[i];
    for (int w = 0; w < agents && plan_of<K>.how.own_tiles; ++w)
      if (b.passed[w] > known && of[i].now.at[w] >= b.passed_at[w]) known = b.passed[w];
    return known;
  }
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
    return true;
  }
  constexpr void lagging(const mbarrier& b, int w) {
    refusal = refuse(rule::protocol_races, "a barrier completes phase ", b.phases, " while ", name(of[w].role),
                     " may still wait for phase ", b.phases - 1, " (lagging parity)");
  }
  /// Whatever counts for a phase must come when the phase before is known to be complete, in every order: who comes
  /// must know of somebody who has waited for it.
  constexpr bool in_its_phase(const mbarrier& b, const clock& now) {
    if (b.phases == 0) return true;
    for (int w = 0; w < agents; ++w)
      if (b.passed[w] == b.phases && now.at[w] >= b.passed_at[w]) return true;
    return false;
  }
  /// Of barriers that are no ring's.
  static constexpr violation refuse_arrival(int cta, int number, int expected) {
    if (number >= column_barriers)
      return refuse(rule::arrivals_differ_from_the_barrier_count, "the ", is_full_ticket(number) ? "full" : "empty",
                    " barrier of slot ", slot_of_ticket(number), " of drawn work in CTA ", cta,
                    " may receive more arrivals than the ", expected, " that it counts");
    return refuse(rule::arrivals_differ_from_the_barrier_count, "more than the ", expected,
                  number < sums_barriers ? " other parts of a split arrive where CTA "
                                         : " agent announces parts of columns where CTA ",
                  cta, number < sums_barriers ? " waits for their sums" : " waits for them");
  }
  constexpr void arrive(int cta, int number, const clock& now) {
    mbarrier& b = barrier[cta][number];
    const bool too_many = b.pending == 0 || !in_its_phase(b, now);
    if constexpr (mbarriers > ring_barriers)
      if (too_many && number >= ring_barriers) {
        refusal = refuse_arrival(cta, number, b.expected);
        return;
      }
    if (too_many) {
      const barrier_place at = place_of(number);
      refusal =
          refuse(rule::arrivals_differ_from_the_barrier_count, "the ", at.full ? "full" : "empty", " barrier of stage ",
                 at.stage, " of ", at.operand, " in CTA ", cta, " may receive more arrivals in phase ",
                 b.phases - (b.pending == 0 ? 0 : 1), " than the ", b.expected, " that it counts");
      return;
    }
    --b.pending;
    b.gathered.join(now);
    complete(b);
  }
  /// So many bytes arrive that somebody sent at `now`.
  constexpr void count(mbarrier& b, const clock& now, int bytes) {
    b.transactions -= bytes;
    b.gathered.join(now);
    complete(b);
  }
  constexpr void complete(mbarrier& b) {
    if (b.pending > 0 || b.transactions != 0) return;
    // Whoever waits for the phase before must be known to have seen it: a slow waiter would find this one's parity.
    // (One that comes later still finds out itself.)
    for (int w = 0; w < agents; ++w)
      if (b.waits[w] && b.passed[w] == b.phases && b.gathered.at[w] < b.passed_at[w]) lagging(b, w);
    b.pending = b.expected;
    b.released = b.gathered;
    b.gathered = {};
    ++b.phases;
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
      const int slot = index_of(x.slots);
      stage_state& s = stage[c][place_in_stages(slot)];
      mbarrier& b = barrier[c][x.barrier];
      if (slot / max_stages == plan_of<K>.sums_ring && has_sums(c))
        return race(slot, "is loaded where partial sums lie");
      if (s.fills <= b.phases) {  // the first load of a new round
        s.fills = b.phases + 1;
        s.barrier = x.barrier;
        s.bytes = 0;
        s.item = of[i].item;
      }
      if (s.barrier != x.barrier) return race(slot, "is filled by copies that signal different barriers");
      s.bytes += x.bytes;
      if (!is_read(c, s, s.fills - 1)) return left_unread(slot, "is overwritten before a consumer has read it");
      for (int w = c * roles + 1; w < (c + 1) * roles; ++w)
        if (may_read(w, slot, s, of[i].now)) return race(slot, "is overwritten while a consumer may still read it");
      if (!in_its_phase(b, of[i].now)) return race(slot, "is filled before its barrier is known to be free");
      count(b, of[i].now, x.bytes);
    }
  }
  /// Whether agent w may still be reading a stage, as far as is known `now`.
  constexpr bool may_read(int w, int slot, const stage_state& s, const clock& now) const {
    return s.reading[w] || of[w].loading >> slot & 1 || s.read_until[w] > now.at[w];
  }
  /// Whether agent i has waited for what was loaded last.
  constexpr bool has_waited(int i, const stage_state& s) const {
    return s.fills > 0 && barrier[of[i].cta][s.barrier].passed[i] == s.fills;
  }
  /// Whether a fill of a stage of this CTA has been read by all consumers, or by the one whose tile it is.
  static constexpr bool is_read(int cta, const stage_state& s, int fill) {
    int readers = 0;
    for (int w = cta * roles + 1; w < (cta + 1) * roles; ++w) readers += s.read_fill[w] >= fill;
    return readers >= plan_of<K>.how.sharers();
  }
  /// Whether a stage holds what the consumer's tile needs.
  constexpr bool is_for(const agent& a, int slot, const stage_state& s) {
    if (s.item == a.item || plan_of<K>.ring[slot / max_stages].resident) return true;
    race(slot, "holds a tile of another work item than the consumer's that reads it");
    return false;
  }
  constexpr void race(int slot, const char* what) {
    constexpr const plan& p = plan_of<K>;
    refusal = refuse(rule::protocol_races, "stage ", slot % max_stages, " of ",
                     p.operand[p.ring[slot / max_stages].member[0]].facts.name, " ", what);
  }
  /// The same of a tile that nobody has read, and why that may be where some loop may make no trip.
  constexpr void left_unread(int slot, const char* what) {
    race(slot, what);
    constexpr const loop_table& loops = plan_of<K>.loops;
    for (int l = 0; l < loops.count; ++l)
      if (loops.least[l] == 0) {
        refusal.says << ": a loop may make no trip, and what only it reads is brought into registers before it; or "
                     << "pipelined(at_least_one(n)) makes a trip";
        return;
      }
  }
  /// Stages of all rings in a row.
  static constexpr int place_in_stages(int slot) {
    int n = slot % max_stages;
    for (int r = 0; r < slot / max_stages; ++r) n += plan_of<K>.ring[r].stages;
    return n;
  }
  /// The number of the lowest bit.
  static constexpr int index_of(std::uint64_t bits) { return std::countr_zero(bits); }

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
    constexpr int ring = plan_of<K>.sums_ring;
    for (int n = 0; n < plan_of<K>.ring[ring].stages; ++n) {
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
      s.reading[i] = true;
      s.read_fill[i] = s.fills;
    }
    note(a.products.issue({x.slots, x.fragment, x.source, x.kind, a.unfenced}));
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
  /// Whether the copies that signalled the stage's barrier also landed in the stage.
  constexpr bool is_whole(int slot, const stage_state& s) {
    const ring_plan& r = plan_of<K>.ring[slot / max_stages];
    if (s.bytes == r.transaction_bytes) return true;
    refusal = refuse(rule::transaction_bytes_differ_from_the_copies, "stage ", slot % max_stages, " of ",
                     plan_of<K>.operand[r.member[0]].facts.name, " is read when ", s.bytes, " of its ",
                     r.transaction_bytes, " bytes have been copied there");
    return false;
  }
  // ---- parts of columns
  /// Whether agents i and w show each other parts of columns: consumers that share a tile, those of other CTAs included
  /// where it is a cluster's.
  constexpr bool exchange_with_each_other(int i, int w) const {
    constexpr cluster_shape shape = plan_of<K>.how.cluster;
    constexpr bool across = plan_of<K>.exchange.ctas > 1;
    const agent &a = of[i], &b = of[w];
    const bool share = plan_of<K>.how.sharers() == 1 ? b.role == a.role : b.role > 0;
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
  static constexpr int slot_of_ticket(int number) { return (number - column_barriers) % ticket_slots; }
  static constexpr bool is_full_ticket(int number) { return number - column_barriers < ticket_slots; }
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
    note(slot.read(i, a.now, x.bytes, passed, a.role == 0));
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
  }

  // ---- named barriers
  /// A round counts threads, not agents: nobody may come twice, or come for the next round while this one may be open.
  constexpr void reach(int i, hardware_barrier& h, int threads) {
    const clock& now = of[i].now;
    // Most rounds are of one warpgroup alone, behind one of its own: it knows of that, so it is not early.
    if (threads == warpgroup && h.threads == 0 && h.alone == i) {
      h.waits[i] = false;
      h.released = now;
      ++h.rounds;
      return;
    }
    bool early = h.arrived[i];
    for (int w = 0; w < agents; ++w) early = early || now.at[w] < h.released.at[w];
    if (early)
      refusal = refuse(rule::protocol_races, name(of[i].role), " of CTA ", of[i].cta,
                       " may arrive twice in one round of a named barrier");
    if (h.threads == 0) h.expected = threads;
    if (h.expected != threads)
      refusal = refuse(rule::protocol_races, "a named barrier of CTA ", of[i].cta, " is used for ", h.expected,
                       " and for ", threads, " threads in one round");
    h.arrived[i] = true;
    h.threads += warpgroup;
    h.gathered.join(now);
    if (h.threads < threads) return;
    for (int w = 0; w < agents; ++w)
      if (h.waits[w]) of[w].now.join(h.gathered);
    for (bool& w : h.waits) w = false;
    h.threads = 0;
    h.released = h.gathered;
    h.alone = threads == warpgroup ? i : -1;
    h.gathered = {};
    for (bool& a : h.arrived) a = false;
    ++h.rounds;
  }
  constexpr bool meet(int i, hardware_barrier& h, int threads) {
    agent& a = of[i];
    if (!a.met) {
      ++a.now.at[i];
      a.met = true;
      a.round = h.rounds;
      for (auto& e : exchange) e.meet(i, a.now.at[i]);
      for (auto& slot : ticket[a.cta]) slot.meet(i, a.now.at[i]);
      h.waits[i] = true;
      reach(i, h, threads);
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
    note(a.panels.leave());
    if (plan_of<K>.how.dynamic && a.drawn != (i == 0 ? a.begun : 0))
      refusal = refuse(rule::epilogue_misses_or_doubles_elements, name(a.role), " of CTA ", a.cta, " draws ", a.drawn,
                       " numbers for ", a.begun, " work items: a cluster's first producer draws one for each, or the "
                       "counter does not end as it began");
    if (const int planned = planned_registers(a.role); a.registers != planned)
      refusal = refuse(rule::registers_exceed_the_pool, name(a.role), " has been given ", planned,
                       " registers per thread, its setmaxnreg asks for ", a.registers, " (0: there is none)");
    for (int r = 0; a.role > 0 && r < plan_of<K>.rings; ++r)
      for (int n = 0; n < plan_of<K>.ring[r].stages; ++n)
        if (const stage_state& s = stage[a.cta][place_in_stages(slot_of(r, n))]; !is_read(a.cta, s, s.fills))
          return left_unread(slot_of(r, n), "is loaded once more than a consumer reads it");
    for (int number = 0; number < ring_barriers; ++number) {
      const barrier_place at = place_of(number);
      const mbarrier& full = barrier[a.cta][number];
      if (!at.full || plan_of<K>.ring[at.ring].resident) continue;
      const mbarrier& empty = barrier[a.cta][number + plan_of<K>.ring[at.ring].stages];
      if (full.phases != empty.phases || full.pending != full.expected || empty.pending != empty.expected)
        refusal = refuse(rule::protocol_deadlocks, "stage ", at.stage, " of ", at.operand,
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
    constexpr const plan& p = plan_of<K>;
    return !p.moves_registers() ? 0 : role == 0 ? p.producer_registers : p.consumer_registers;
  }

  constexpr violation explain_deadlock(int i) const {
    constexpr const plan& p = plan_of<K>;
    const agent& a = of[i];
    const action& x = a.log.at[a.next];
    const auto waits = [&](const auto&... why) {
      return refuse(rule::protocol_deadlocks, name(a.role), " of CTA ", a.cta, " waits ", why...);
    };
    if (x.what == act::meet && x.barrier == exchange_barrier(consumers) && p.how.stagger > 0)
      return refuse(rule::protocol_deadlocks, name(a.role), " waits for the others' parts of ",
                    p.how.swap ? "rows" : "columns", ", which .stagger = ", p.how.stagger,
                    " keeps behind it: ", p.how.swap ? "where .swap = true, row_sum()" : "col_sum()",
                    " and its like meet in the middle of a tile; leave .stagger out");
    if (x.what == act::meet)
      return waits("at named barrier ", x.barrier, " for ", x.bytes, " threads; ", hardware[a.cta][x.barrier].threads,
                   " come");
    if (x.what == act::gather)
      return waits("for ", agents, " roles of the cluster; ", everyone.threads / warpgroup, " come");
    const mbarrier& b = barrier[a.cta][x.barrier];
    if (x.barrier >= column_barriers)
      return is_full_ticket(x.barrier) ? waits("forever for the number of its next work item: ",
                                               b.pending > 0 ? "nobody arrives" : "nobody hands it out")
                                       : waits("forever until its cluster has read the number of a work item: of ",
                                               b.expected, " readers ", b.expected - b.pending, " say so");
    if (x.barrier >= sums_barriers)
      return waits("forever for parts of columns: ", b.pending > 0 ? "nobody says how many bytes there are; " : "",
                   "of ", b.transactions > 0 ? b.transactions : -b.transactions, " bytes ",
                   b.transactions > 0 ? "nobody sends them" : "nobody knows");
    if (x.barrier >= ring_barriers)
      return waits("forever for the sums of ", p.how.split - 1, " other parts; ", b.expected - b.pending, " come");
    const barrier_place at = place_of(x.barrier);
    const ring_plan& ring = p.ring[at.ring];
    if (b.transactions != 0)
      return refuse(rule::transaction_bytes_differ_from_the_copies, name(a.role), " of CTA ", a.cta,
                    " waits for stage ", at.stage, " of ", at.operand, ", whose barrier expects ",
                    ring.transaction_bytes, " bytes; ", b.transactions > 0 ? b.transactions : -b.transactions,
                    b.transactions > 0 ? " of them never come" : " more come");
    if (!at.full)
      return refuse(rule::protocol_deadlocks, "the producer waits forever for a free stage of ", at.operand,
                    " (it has ", ring.stages, "): the consumers hold ", ring.stages,
                    " and wait for what is loaded next; ",
                    is_held_over_a_loop(p, trace_body<K>({}).log, at.ring)
                        ? "a tile from before a loop is read behind it: load it there, or bring it into registers"
                        : "use more stages");
    return waits("forever for stage ", at.stage, " of ", at.operand, ": nobody loads it");
  }
};

}  // namespace sectile::protocol
