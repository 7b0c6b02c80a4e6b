// Proof 5, protocol: no deadlock, no race, no lagging parity, and as many bytes and arrivals as barriers wait for, in
// every interleaving of the roles of a cluster.
//
// One run decides. A role's actions do not depend on what the others do (its loop counts come from sizes, it never asks a
// barrier without waiting for the answer), and waiting can only delay an action, never disable or change it. So the runs
// of the system are the linearisations of one partial order: if one run completes, all do; and two accesses are ordered in
// all runs exactly if one happens before the other by program order and barriers. Vector clocks over the agents compute
// that order along the one run (Fidge 1988, Mattern 1989). What would break the argument: roles that branch on data they
// loaded, or try a barrier once and do something else; the language can write neither.
//
// TMA and wgmma are asynchronous, so an access here is an interval: a load writes from its issue until its barrier's
// phase, a product reads from its issue until the wait that retires it.
#pragma once
#include <sectile/dsl/proofs/recorder.hpp>

namespace sectile::protocol {

constexpr int max_in_flight = 8;  // product groups of an agent

/// How many events of each agent an agent knows to have happened.
template <int Agents>
struct clock {
  int at[Agents]{};
  constexpr void join(const clock& other) {
    for (int i = 0; i < Agents; ++i)
      if (other.at[i] > at[i]) at[i] = other.at[i];
  }
};

template <int Agents>
struct mbarrier {
  int expected = 0, pending = 0;
  int transactions = 0;
  int phases = 0;               // completed
  clock<Agents> gathered{};     // of the arrivals of the open phase
  clock<Agents> released{};     // of the last completed phase
  int passed[Agents]{};         // phases that an agent has waited for
  int passed_at[Agents]{};      // and its time then
  bool waits[Agents]{};
};

template <int Agents>
struct hardware_barrier {
  int threads = 0;
  clock<Agents> gathered{}, released{};
  int rounds = 0;
  bool arrived[Agents]{};  // in this round
};

/// A stage of a ring in one CTA.
template <int Agents>
struct stage_state {
  int fills = 0;             // the phase of its full barrier that completes what was loaded last
  int barrier = -1;          // that barrier
  int read_until[Agents]{};  // time at which the agent's last product on it was retired
  bool reading[Agents]{};
  int read_fill[Agents]{};   // the fill that the agent last read
  int tile_fill[max_operands]{};  // which tile of an operand the last fill brings, and which fill that was
  std::int64_t tile[max_operands]{};
};

template <int Agents, int Capacity>
struct agent {
  action_log<Capacity> log{};
  int next = 0;
  clock<Agents> now{};
  int cta = 0, role = 0;
  std::uint64_t group[max_in_flight]{};  // slots read by the groups in flight, oldest first
  int groups = 0;
  bool met = false;        // has arrived at the hardware barrier it waits for
  int round = 0;
  // epilogue buffers, one bit each
  std::uint64_t written = 0, fenced = 0, published = 0;
  std::uint64_t reading[8]{};  // store groups, oldest first; the last is open
  int stores = 0;
};

constexpr int stages_in(const plan& p) {
  int n = 0;
  for (int r = 0; r < p.rings; ++r) n += p.ring[r].stages;
  return n;
}
/// Trips of the loops in run number `n` of the proof. With one loop: 0 (or 1) .. 2 * stages + 1. With more, all of them
/// together, and each alone while the others turn once.
constexpr int longest(const plan& p) { return 2 * p.how.stages + 1; }
constexpr int protocol_runs(const plan& p) {
  return (longest(p) + 1) * (p.loops.count > 1 ? 1 + p.loops.count : 1);
}
constexpr loop_table protocol_trips(const plan& p, int n) {
  loop_table l = p.loops;
  const int trips = n % (longest(p) + 1), alone = n / (longest(p) + 1) - 1;
  for (int i = 0; i < l.count; ++i) {
    l.trips[i] = alone < 0 || alone == i ? trips : 1;
    if (l.trips[i] < l.least[i]) l.trips[i] = l.least[i];
  }
  return l;
}
/// Output tiles that the proof walks. Two show that rings are carried from tile to tile: enough as long as the first can
/// leave them at every stage.
constexpr int items_of(const plan& p, const loop_table& l) {
  int most = 0;
  for (int i = 0; i < l.count; ++i) most = l.trips[i] > most ? l.trips[i] : most;
  return p.how.persistent && most <= p.how.stages + 1 ? 2 : 1;
}
/// Room for what one agent does: a fixed part (set-up, epilogues) and a part for every trip.
constexpr int log_capacity(const plan& p, const loop_table& l) {
  int tiles = 1;  // trips, nested loops multiplied
  for (int i = 0; i < l.count; ++i) tiles += l.trips[i];
  if (l.count > 1) tiles *= 2;
  int boxes = 0;
  for (int o = 0; o < p.operands; ++o) boxes += p.operand[o].panels * p.operand[o].boxes_per_panel + p.operand[o].metadata.k_blocks;
  return 64 + 20 * p.epilogue.panels + (tiles + 1) * items_of(p, l) * (2 * p.positions + boxes);
}

template <class K, int Run>
struct cluster_run {
  static constexpr int ctas = plan_of<K>.how.cluster.size(), roles = 1 + plan_of<K>.how.consumers;
  static constexpr int agents = ctas * roles;
  static constexpr int mbarriers = 2 * stages_in(plan_of<K>), capacity = log_capacity(plan_of<K>, protocol_trips(plan_of<K>, Run));
  using clock = protocol::clock<agents>;
  using agent = protocol::agent<agents, capacity>;
  using mbarrier = protocol::mbarrier<agents>;
  using hardware_barrier = protocol::hardware_barrier<agents>;
  using stage_state = protocol::stage_state<agents>;
  agent of[agents]{};
  mbarrier barrier[ctas][mbarriers]{};
  hardware_barrier hardware[ctas][16]{};
  stage_state stage[ctas][max_slots]{};
  violation refusal{};

  constexpr cluster_run() {
    constexpr plan p = plan_of<K>;
    constexpr loop_table trips = protocol_trips(p, Run);
    for (int c = 0; c < ctas; ++c) {
      for (int r = 0; r < p.rings; ++r)
        for (int s = 0; s < p.ring[r].stages; ++s) {
          set_up(barrier[c][(p.ring[r].full_barrier - p.ring[0].full_barrier) / 8 + s], 1);
          set_up(barrier[c][(p.ring[r].empty_barrier - p.ring[0].full_barrier) / 8 + s], p.ring[r].empty_arrivals);
        }
      for (int r = 0; r < roles; ++r) {
        agent& a = of[c * roles + r];
        a.log = record<K, capacity>(trips, items_of(p, trips), c, r);
        a.cta = c;
        a.role = r;
        if (a.log.overflow) refusal = refuse(rule::program_is_not_traceable, "the protocol's log overflows");
      }
    }
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
    for (int i = 0; i < agents && refusal.holds(); ++i)
      if (of[i].next < of[i].log.count) refusal = explain_deadlock(i);
  }

 private:
  static constexpr void set_up(mbarrier& b, int arrivals) { b.expected = b.pending = arrivals; }
  static constexpr const char* name(int role) { return role == 0 ? "the producer" : "a consumer"; }

  constexpr bool step(int i) {
    agent& a = of[i];
    const action& x = a.log.at[a.next];
    if (x.what == act::wait) return wait(i, barrier[a.cta][x.barrier], x);
    if (x.what == act::meet) return meet(i, x);
    ++a.now.at[i];
    switch (x.what) {
      case act::arrive: arrive(barrier[x.cta][x.barrier], a.now, x.cta); break;
      case act::expect:
        barrier[a.cta][x.barrier].transactions += x.bytes;
        arrive(barrier[a.cta][x.barrier], a.now, a.cta);
        break;
      case act::load: load(i, x); break;
      case act::multiply: multiply(i, x); break;
      case act::read: read(i, x); break;
      case act::retire: retire(i, x.bytes); break;
      case act::announce: reach(i, hardware[a.cta][x.barrier], x.bytes); break;
      case act::write_panel: write_panel(a, x.barrier); break;
      case act::proxy_fence: a.fenced |= a.written; break;
      case act::store_panel: store_panel(a, x.barrier); break;
      case act::close_store:
        if (a.stores == 7) refusal = refuse(rule::protocol_races, "a consumer has more than 7 stores in flight");
        else ++a.stores;
        break;
      case act::reclaim: reclaim(a, x.bytes); break;
      case act::wait:
      case act::meet: break;
    }
    return true;
  }

  // ---- mbarriers
  /// The parity of a wait tells the parity of the phase it wants; a barrier that has run ahead by two would look the same.
  constexpr bool wait(int i, mbarrier& b, const action& x) {
    b.waits[i] = true;
    if ((b.phases & 1) == x.bytes) return false;
    agent& a = of[i];
    ++a.now.at[i];
    if (b.phases > 0) a.now.join(b.released);
    b.passed[i] = b.phases;
    b.passed_at[i] = a.now.at[i];
    return true;
  }
  constexpr void arrive(mbarrier& b, const clock& now, int cta) {
    if (b.pending == 0) {
      refusal = refuse(rule::arrivals_differ_from_the_barrier_count, "a barrier of CTA ", cta, " that counts ", b.expected,
                       " arrivals receives more");
      return;
    }
    --b.pending;
    b.gathered.join(now);
    complete(b);
  }
  constexpr void complete(mbarrier& b) {
    if (b.pending > 0 || b.transactions != 0) return;
    // Whoever waits on this barrier must have seen the phase before: otherwise a slow waiter would find this one's parity.
    for (int w = 0; w < agents; ++w)
      if (b.waits[w] && b.phases > 0 && (b.passed[w] < b.phases || b.gathered.at[w] < b.passed_at[w]))
        refusal = refuse(rule::protocol_races, "a barrier completes phase ", b.phases, " while ", name(of[w].role),
                         " may still wait for phase ", b.phases - 1, " (lagging parity)");
    b.pending = b.expected;
    b.released = b.gathered;
    b.gathered = {};
    ++b.phases;
  }

  // ---- TMA loads
  constexpr void load(int i, const action& x) {
    for (int c = 0; c < ctas; ++c) {
      if (!(x.mask >> c & 1)) continue;
      const int slot = index_of(x.slots);
      stage_state& s = stage[c][slot];
      mbarrier& b = barrier[c][x.barrier];
      if (s.fills <= b.phases) {  // the first load of a new round
        s.fills = b.phases + 1;
        s.barrier = x.barrier;
      }
      for (int w = c * roles + 1; w < (c + 1) * roles; ++w) {
        if (s.fills > 1 && s.read_fill[w] < s.fills - 1)
          return race(slot, "is overwritten before a consumer has read it");
        if (s.reading[w] || s.read_until[w] > of[i].now.at[w])
          return race(slot, "is overwritten while a consumer may still read it");
      }
      if (s.tile_fill[x.operand] == s.fills && s.tile[x.operand] != x.tile) {
        constexpr plan p = plan_of<K>;
        refusal = refuse(rule::multicast_peers_disagree, "operand ", p.operand[x.operand].facts.name,
                         ": CTAs of a cluster that share its loads ask for different tiles");
        return;
      }
      s.tile_fill[x.operand] = s.fills;
      s.tile[x.operand] = x.tile;
      b.transactions -= x.bytes;
      b.gathered.join(of[i].now);
      complete(b);
    }
  }
  constexpr void race(int slot, const char* what) {
    constexpr plan p = plan_of<K>;
    refusal = refuse(rule::protocol_races, "operand ", p.operand[p.ring[slot / max_stages].member[0]].facts.name,
                     ", stage ", slot % max_stages, " ", what);
  }
  static constexpr int index_of(std::uint64_t bit) {
    int n = 0;
    while (!(bit >> n & 1)) ++n;
    return n;
  }

  // ---- products
  constexpr void multiply(int i, const action& x) {
    agent& a = of[i];
    for (int slot = 0; slot < max_slots; ++slot) {
      if (!(x.slots >> slot & 1)) continue;
      stage_state& s = stage[a.cta][slot];
      if (s.fills == 0 || barrier[a.cta][s.barrier].passed[i] != s.fills)
        return race(slot, "is read by a product whose consumer has not waited for it");
      s.reading[i] = true;
      s.read_fill[i] = s.fills;
    }
    if (a.groups == max_in_flight) {
      refusal = refuse(rule::protocol_races, "a consumer has more than ", max_in_flight, " groups of products in flight");
      return;
    }
    a.group[a.groups++] = x.slots;
  }
  /// Ordinary loads, over where they stand: the warpgroup meets behind them.
  constexpr void read(int i, const action& x) {
    agent& a = of[i];
    const int slot = index_of(x.slots);
    stage_state& s = stage[a.cta][slot];
    if (s.fills == 0 || barrier[a.cta][s.barrier].passed[i] != s.fills)
      return race(slot, "is brought into registers by a consumer that has not waited for it");
    s.read_fill[i] = s.fills;
    s.read_until[i] = a.now.at[i];
  }
  constexpr void retire(int i, int in_flight) {
    agent& a = of[i];
    const int done = a.groups - in_flight;
    if (done <= 0) return;
    std::uint64_t still = 0;
    for (int g = done; g < a.groups; ++g) still |= a.group[g];
    for (int g = 0; g < done; ++g)
      for (int slot = 0; slot < max_slots; ++slot)
        if (a.group[g] >> slot & 1) {
          stage[a.cta][slot].read_until[i] = a.now.at[i];
          stage[a.cta][slot].reading[i] = still >> slot & 1;
        }
    for (int g = done; g < a.groups; ++g) a.group[g - done] = a.group[g];
    a.groups -= done;
  }

  // ---- hardware barriers
  /// A round counts threads, not agents: nobody may come twice, or come for the next round while this one may be open.
  constexpr void reach(int i, hardware_barrier& h, int threads) {
    const clock& now = of[i].now;
    bool early = h.arrived[i];
    for (int w = 0; w < agents; ++w) early = early || now.at[w] < h.released.at[w];
    if (early)
      refusal = refuse(rule::protocol_races, name(of[i].role), " of CTA ", of[i].cta,
                       " may arrive twice in one round of a hardware barrier");
    h.arrived[i] = true;
    h.threads += warpgroup;
    h.gathered.join(now);
    if (h.threads < threads) return;
    h.threads = 0;
    h.released = h.gathered;
    h.gathered = {};
    for (bool& a : h.arrived) a = false;
    ++h.rounds;
  }
  constexpr bool meet(int i, const action& x) {
    agent& a = of[i];
    hardware_barrier& h = hardware[a.cta][x.barrier];
    if (!a.met) {
      ++a.now.at[i];
      a.met = true;
      a.round = h.rounds;
      reach(i, h, x.bytes);
    }
    if (h.rounds == a.round) return false;
    a.met = false;
    a.now.join(h.released);
    a.published |= a.fenced;
    return true;
  }

  // ---- the epilogue's buffers, each warpgroup's own
  constexpr void write_panel(agent& a, int panel) {
    const std::uint64_t bit = std::uint64_t{1} << panel;
    for (int g = 0; g <= a.stores; ++g)
      if (a.reading[g] & bit)
        refusal = refuse(rule::protocol_races, "an epilogue buffer is written while TMA may still read it");
    a.written |= bit;
    a.fenced &= ~bit;
    a.published &= ~bit;
  }
  constexpr void store_panel(agent& a, int panel) {
    const std::uint64_t bit = std::uint64_t{1} << panel;
    if (!(a.published & bit))
      refusal = refuse(rule::protocol_races,
                       "an epilogue buffer is stored before its writers' proxy fence and barrier");
    a.reading[a.stores] |= bit;
  }
  constexpr void reclaim(agent& a, int in_flight) {
    const int done = a.stores - in_flight;
    if (done <= 0) return;
    for (int g = done; g <= a.stores; ++g) a.reading[g - done] = a.reading[g];
    for (int g = a.stores - done + 1; g <= a.stores; ++g) a.reading[g] = 0;
    a.stores -= done;
  }

  constexpr violation explain_deadlock(int i) const {
    constexpr plan p = plan_of<K>;
    const agent& a = of[i];
    const action& x = a.log.at[a.next];
    if (x.what == act::meet)
      return refuse(rule::protocol_deadlocks, name(a.role), " of CTA ", a.cta, " waits at hardware barrier ", x.barrier,
                    " for ", x.bytes, " threads; ", hardware[a.cta][x.barrier].threads, " come");
    const mbarrier& b = barrier[a.cta][x.barrier];
    int ring = 0, place = x.barrier;  // full barriers of a ring, then its empty ones
    while (place >= 2 * p.ring[ring].stages) place -= 2 * p.ring[ring++].stages;
    const bool full = place < p.ring[ring].stages;
    const char* operand = p.operand[p.ring[ring].member[0]].facts.name;
    const int stage_number = place % p.ring[ring].stages;
    if (b.transactions != 0)
      return refuse(rule::transaction_bytes_differ_from_the_copies, name(a.role), " of CTA ", a.cta, " waits for stage ",
                    stage_number, " of ", operand, ", whose barrier expects ", p.ring[ring].transaction_bytes, " bytes; ",
                    b.transactions > 0 ? b.transactions : -b.transactions,
                    b.transactions > 0 ? " of them never come" : " more come");
    if (!full)
      return refuse(rule::protocol_deadlocks, "the producer waits forever for a free stage of ", operand, " (it has ",
                    p.ring[ring].stages, "): the consumers hold ", p.ring[ring].stages,
                    " and wait for what is loaded next; use more stages");
    return refuse(rule::protocol_deadlocks, name(a.role), " of CTA ", a.cta, " waits forever for stage ", stage_number,
                  " of ", operand, ": nobody loads it");
  }
};

/// The protocol of K in run number `Run`.
template <class K, int Run>
constexpr violation check_protocol() {
  cluster_run<K, Run> run;
  if (run.refusal.holds()) run.run();
  return run.refusal;
}
template <class K, int Run>
inline constexpr violation protocol_verdict = check_protocol<K, Run>();

}  // namespace sectile::protocol
