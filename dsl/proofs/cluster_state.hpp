// What one run of the protocol's proof keeps: the agents of a cluster, with what they have recorded, and the barriers and
// stages that they share, with what is known of them.
#pragma once
#include <bit>

#include <sectile/dsl/proofs/budgets.hpp>
#include <sectile/dsl/proofs/exchange_ledger.hpp>
#include <sectile/dsl/proofs/factor_ledger.hpp>
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
  std::uint64_t copied = 0;  // slots to which its threads have copied since they told a barrier
  std::uint64_t unshown =
      0;  // slots with copies of threads that it has waited for, until a fence shows them to products
  bool leaves_sums = false;  // some warp may still write partial sums: until the warpgroup meets
};

/// The agents of a cluster and what they share.
template <class K>
struct cluster_state {
  static constexpr int ctas = head_of<K>.how.ctas(), roles = 1 + head_of<K>.how.consumers;
  static constexpr int agents = ctas * roles;
  static constexpr int consumers = head_of<K>.how.consumers;
  static constexpr int sums_places = 2 * head_of<K>.meetings * consumers + 1;
  static constexpr int ring_barriers = 2 * stages_in(head_of<K>),
                       sums_barriers = ring_barriers + count_meeting_barriers(head_of<K>),
                       column_barriers = sums_barriers + count_exchange_barriers(head_of<K>),
                       mbarriers = ring_barriers + count_cluster_barriers(head_of<K>);
  static constexpr int capacity = log_capacity_of<K>;
  using recording_machine = typename machine_under_test<K, recorder<capacity>>::type;
  using clock = protocol::clock<agents>;
  using agent = protocol::agent<agents, capacity>;
  using mbarrier = protocol::mbarrier<agents>;
  using hardware_barrier = protocol::hardware_barrier<agents>;
  using stage_state = protocol::stage_state<agents>;
  agent of[agents]{};
  mbarrier barrier[ctas][mbarriers > 0 ? mbarriers : 1]{};  // ISO C++ has no empty array
  hardware_barrier hardware[ctas][16]{};
  hardware_barrier everyone{};             // the cluster barrier
  stage_state stage[ctas][stages_in(head_of<K>) > 0 ? stages_in(head_of<K>) : 1]{};
  int sums_left[ctas][sums_places]{};      // partial sums: the time of the consumer that has left them; 0: nobody
  exchange_ledger<agents, ctas> exchange[2]{};  // of each buffer
  factor_ledger<agents> factor[ctas]{};
  workspace_ledger<agents> workspace[ctas][head_of<K>.how.streamed ? longest_walk(head_of<K>.how) : 1]{};  // of items
  ticket_slot<agents> ticket[ctas][ticket_slots]{};
  clock visited[ctas]{};                   // the last access of every agent to a CTA's barriers and stages
  violation refusal{};

  /// What the roles of CTA `c` do in run number `run`, and why that is refused.
  static constexpr violation record_cta(agent* roles_of_cta, int c, int run, unsigned last = to_all) {
    constexpr const plan_head& p = head_of<K>;
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

  /// The same, recorded by itself.
  struct cta_record {
    agent of[roles]{};
    violation refusal{};
  };

 protected:
  constexpr void note(const violation& v) {
    if (!v.holds()) refusal = v;
  }
  static constexpr int threads_of(const agent& a) { return a.role == 0 ? producer_threads(head_of<K>) : warpgroup; }
  static constexpr const char* name(int role) { return role == 0 ? "the producer" : "a consumer"; }

  // ---- mbarriers
  /// What mbarrier number `number` guards: full barriers of a ring, then its empty ones, then the next ring's.
  struct barrier_place {
    int ring = 0, stage = 0;
    bool full = false;
  };
  static constexpr barrier_place place_of(int number) {
    constexpr const plan_head& p = head_of<K>;
    int ring = 0;
    while (number >= 2 * p.ring[ring].stages) number -= 2 * p.ring[ring++].stages;
    const int stages = p.ring[ring].stages;
    return {ring, number % stages, number < stages};
  }
  /// For messages: what is asked more often has no need of all of the plan.
  static constexpr const char* operand_of(int ring) {
    return plan_of<K>.operand[head_of<K>.ring[ring].member[0]].facts.name;
  }
  /// The full barrier of a slot.
  static constexpr int full_barrier_of(int slot) {
    int number = slot % max_stages;
    for (int r = 0; r < slot / max_stages; ++r) number += 2 * head_of<K>.ring[r].stages;
    return number;
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
    for (int w = 0; w < agents && head_of<K>.how.own_tiles; ++w)
      if (b.passed[w] > known && of[i].now.at[w] >= b.passed_at[w]) known = b.passed[w];
    return known;
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
  constexpr void arrive(int cta, int number, const clock& now, int arrivals = 1) {
    mbarrier& b = barrier[cta][number];
    const bool too_many = b.pending < arrivals || !in_its_phase(b, now);
    if constexpr (mbarriers > ring_barriers)
      if (too_many && number >= ring_barriers) {
        refusal = refuse_arrival(cta, number, b.expected);
        return;
      }
    if (too_many) {
      const barrier_place at = place_of(number);
      refusal =
          refuse(rule::arrivals_differ_from_the_barrier_count, "the ", at.full ? "full" : "empty", " barrier of stage ",
                 at.stage, " of ", operand_of(at.ring), " in CTA ", cta, " may receive more arrivals in phase ",
                 b.phases - (b.pending < arrivals ? 0 : 1), " than the ", b.expected, " that it counts");
      return;
    }
    b.pending -= arrivals;
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

  // ---- named barriers
  /// A round counts threads, not agents, of which i comes with its own: nobody may come twice, or come for the next
  /// round while this one may be open.
  constexpr void reach(int i, hardware_barrier& h, int threads, int own) {
    const clock& now = of[i].now;
    // Most rounds are of one warpgroup alone, behind one of its own: it knows of that, so it is not early.
    if (threads == own && h.threads == 0 && h.alone == i) {
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
    h.threads += own;
    h.gathered.join(now);
    if (h.threads > threads)
      refusal = refuse(rule::protocol_races, h.threads, " threads of CTA ", of[i].cta, " come to a named barrier that ",
                       "counts ", threads);
    if (h.threads < threads) return;
    for (int w = 0; w < agents; ++w)
      if (h.waits[w]) of[w].now.join(h.gathered);
    for (bool& w : h.waits) w = false;
    h.threads = 0;
    h.released = h.gathered;
    h.alone = threads == own ? i : -1;
    h.gathered = {};
    for (bool& a : h.arrived) a = false;
    ++h.rounds;
  }

  // ---- stages
  /// Whether agent w may still be reading a stage, as far as is known `now`.
  constexpr bool may_read(int w, int slot, const stage_state& s, const clock& now) const {
    return s.reading[w] || of[w].loading >> slot & 1 || s.read_until[w] > now.at[w];
  }
  /// Whether agent i has waited for what was loaded last.
  constexpr bool has_waited(int i, const stage_state& s) const {
    return s.fills > 0 && barrier[of[i].cta][s.barrier].passed[i] == s.fills;
  }
  /// Whether a fill of a stage of this CTA has been read by all consumers, or by the one whose tile it is.
  constexpr bool is_read(int cta, int slot, int fill) const {
    const stage_state& s = stage[cta][place_in_stages(slot)];
    int readers = 0;
    for (int w = cta * roles + 1; w < (cta + 1) * roles; ++w) readers += s.read_fill[w] >= fill;
    return readers >= readers_in_cta(head_of<K>.how, head_of<K>.ring[slot / max_stages]);
  }
  /// Whether a stage holds what the consumer's tile needs.
  constexpr bool is_for(const agent& a, int slot, const stage_state& s) {
    if (s.item == a.item || head_of<K>.ring[slot / max_stages].resident) return true;
    race(slot, "holds a tile of another work item than the consumer's that reads it");
    return false;
  }
  static constexpr const char* unread_by_no_trip =
      head_of<K>.splits() ? "is loaded once more than a consumer reads it: a part of a split may make no trip, however "
                            "many its loop has, and what only it reads is brought into registers before it"
                          : "is loaded once more than a consumer reads it: a loop may make no trip, and what only it "
                            "reads is brought into registers before it; or pipelined(at_least_one(n)) makes a trip";
  constexpr void race(int slot, const char* what) {
    refusal =
        refuse(rule::protocol_races, "stage ", slot % max_stages, " of ", operand_of(slot / max_stages), " ", what);
  }
  /// Stages of all rings in a row.
  static constexpr int place_in_stages(int slot) {
    int n = slot % max_stages;
    for (int r = 0; r < slot / max_stages; ++r) n += head_of<K>.ring[r].stages;
    return n;
  }
  /// The number of the lowest bit.
  static constexpr int index_of(std::uint64_t bits) { return std::countr_zero(bits); }
  /// Whether the copies that signalled the stage's barrier also landed in the stage.
  constexpr bool is_whole(int slot, const stage_state& s) {
    const ring_plan& r = head_of<K>.ring[slot / max_stages];
    const int whole = r.transaction_bytes + r.copied_bytes;
    if (s.bytes == whole) return true;
    refusal = refuse(rule::transaction_bytes_differ_from_the_copies, "stage ", slot % max_stages, " of ",
                     operand_of(slot / max_stages), " is read when ", s.bytes, " of its ", whole,
                     " bytes have been copied there");
    return false;
  }

  // ---- slots of drawn work
  static constexpr int slot_of_ticket(int number) { return (number - column_barriers) % ticket_slots; }
  static constexpr bool is_full_ticket(int number) { return number - column_barriers < ticket_slots; }
};

}  // namespace sectile::protocol
