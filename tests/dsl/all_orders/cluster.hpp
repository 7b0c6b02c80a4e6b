// The cluster whose orders are explored: what each of its agents does, as recorded from the lowered roles, and what
// follows from an agent's own program order alone.
//
// An agent is the producer's thread or one warpgroup of consumers. Nothing here knows of clocks: this is the second
// opinion about what dsl/proofs/protocol.hpp decides.
#pragma once
#include <cstdint>
#include <sectile/dsl/proofs/protocol.hpp>
#include <string>
#include <vector>

namespace sectile::orders {

using protocol::act;
using protocol::action;
using protocol::max_slots;

struct agent {
  int cta = 0, role = 0;  // role 0 is the producer
  std::vector<action> actions{};
};

struct cluster {
  int ctas = 1;
  int barriers = 0;    // mbarriers of a CTA
  int of_groups = -1;  // the meeting in a workspace of what groups of parts have become, if there is one
  std::vector<agent> agents{};
  std::vector<int> stage_bytes{};   // per slot: what a whole stage brings, 0 if there is no such slot
  std::vector<int> full_barrier{};  // per slot
  /// Where consumers have tiles of their own: per barrier of the cluster, the work items of phases 1, 2, .. as the
  /// producers announce them.
  std::vector<std::vector<int>> items{};
};

// Numbers of drawn work are explored as what they are: bytes that somebody brings to a slot whose full barrier counts
// them, on their way for as long as they like, and that others read by ordinary loads. So they become copies, in a ring
// behind the kernel's own.
inline constexpr int ring_of_tickets = max_rings - 1;
constexpr action as_copy(action a) {
  const std::uint64_t slot = std::uint64_t{1} << protocol::slot_of(ring_of_tickets, a.kind);
  if (a.what == act::hand_out) {
    a.what = act::load;
    a.source = a.bytes;  // the number, which the exploration does not look at
    a.bytes = ticket_word;
    a.slots = slot;
    a.mask = 1u << a.cta;
  } else if (a.what == act::take_item) {
    a.what = act::read;
    a.slots = slot;
  }
  return a;
}
constexpr bool is_of_tickets(std::uint64_t slots) { return slots >> protocol::slot_of(ring_of_tickets, 0) != 0; }
/// And back again.
constexpr action as_recorded(action a) {
  if (!is_of_tickets(a.slots)) return a;
  a.kind = a.slots >> protocol::slot_of(ring_of_tickets, 1) != 0;
  if (a.what == act::load) {
    a.what = act::hand_out;
    a.bytes = a.source;
    a.source = -1;
  } else if (a.what == act::read) {
    a.what = act::take_item;
  }
  return a;
}

/// A cluster of K whose agents have nothing to do yet.
template <class K>
cluster idle_cluster() {
  constexpr const plan& p = plan_of<K>;
  cluster s{};
  s.ctas = p.how.cluster.size();
  if (p.how.fan_in > 0) s.of_groups = p.meetings;
  s.barriers = 2 * protocol::stages_in(p) + count_ticket_barriers(p);
  s.stage_bytes.assign(max_slots, 0);
  s.full_barrier.assign(max_slots, -1);
  for (int r = 0; r < p.rings; ++r)
    for (int n = 0; n < p.ring[r].stages; ++n) {
      const int slot = protocol::slot_of(r, n);
      s.stage_bytes[slot] = p.ring[r].transaction_bytes;
      s.full_barrier[slot] = (p.ring[r].full_barrier - p.ring[0].full_barrier) / 8 + n;
    }
  for (int n = 0; n < p.tickets.slots; ++n) {
    const int slot = protocol::slot_of(ring_of_tickets, n);
    s.stage_bytes[slot] = ticket_word;
    s.full_barrier[slot] = (ticket_full_barrier(p.tickets, n) - p.ring[0].full_barrier) / 8;
  }
  for (int cta = 0; cta < s.ctas; ++cta)
    for (int role = 0; role <= p.how.consumers; ++role) s.agents.push_back({cta, role, {}});
  return s;
}

/// The agents of K as the proof has recorded them.
template <class K>
cluster cluster_of(const protocol::cluster_run<K>& run) {
  cluster s = idle_cluster<K>();
  for (std::size_t i = 0; i < s.agents.size(); ++i)
    for (int n = 0; n < run.of[i].log.count; ++n) s.agents[i].actions.push_back(as_copy(run.of[i].log.at[n]));
  if (!plan_of<K>.how.own_tiles) return s;
  s.items.resize(static_cast<std::size_t>(s.ctas * s.barriers));
  for (const agent& producer : s.agents) {
    int item = -1;
    for (const action& x : producer.actions)
      if (x.what == act::begin)
        item = x.bytes;
      else if (x.what == act::expect)
        s.items[producer.cta * s.barriers + x.barrier].push_back(item);
  }
  return s;
}

// ---- what an agent's own order says

inline constexpr int never = 1 << 20;

/// Tables of one agent: entry n belongs to the state in which n actions are done. A product reads until the wait that
/// retires it: ending earlier would only free what it reads, so the latest end shows every collision that any end
/// shows.
struct timeline {
  std::vector<int> asked{};                    // by wait n: the phase that it wants
  std::vector<std::uint64_t> reading{};        // slots that products or ordinary loads may be reading
  std::vector<std::vector<int>> waited_for{};  // per slot: the phase of its full barrier that the agent waited for last
};

/// The phase that each wait wants. Parities tell it in program order: the first of parity 1 wants the phase before all,
/// of parity 0 the first; the same parity again wants the same phase, the other one the next.
inline std::vector<int> phases_asked(const agent& a, int barriers) {
  std::vector<int> asked(a.actions.size(), -1), last(static_cast<std::size_t>(barriers), -1);
  for (std::size_t n = 0; n < a.actions.size(); ++n) {
    const action& x = a.actions[n];
    if (x.what != act::wait) continue;
    int& phase = last[x.barrier];
    if (phase < 0)
      phase = x.bytes ? 0 : 1;
    else if ((phase & 1) == x.bytes)
      ++phase;
    asked[n] = phase;
  }
  return asked;
}

/// The same of a consumer with tiles of its own, which does not wait for every phase: its n-th wait on a barrier since
/// it began with a work item wants the n-th phase that its producer announces for that item. (Of the same parity again
/// it is the same one.)
inline std::vector<int> phases_of_own_tiles(const agent& a, const cluster& s) {
  std::vector<int> asked(a.actions.size(), -1), waits(static_cast<std::size_t>(s.barriers), 0), parity(waits);
  int item = -1;
  for (std::size_t n = 0; n < a.actions.size(); ++n) {
    const action& x = a.actions[n];
    if (x.what == act::begin) {
      item = x.bytes;
      waits.assign(waits.size(), 0);
    }
    if (x.what != act::wait) continue;
    if (waits[x.barrier] == 0 || parity[x.barrier] != x.bytes) ++waits[x.barrier];
    parity[x.barrier] = x.bytes;
    int phase = 0, left = waits[x.barrier];
    for (const int of : s.items[a.cta * s.barriers + x.barrier]) {
      left -= of == item;
      ++phase;
      if (left == 0) break;
    }
    asked[n] = left == 0 ? phase : never;
  }
  return asked;
}

/// Ordinary loads of a warpgroup are over at its next meeting: until then some warps may lag behind. Those of a producer,
/// one thread, are over at once. (A product that is
/// retired would tell as much, since all warps have issued it; the roles do not rely on that.)
inline timeline timeline_of(const agent& a, const cluster& s) {
  timeline t{};
  t.asked = !s.items.empty() && a.role > 0 ? phases_of_own_tiles(a, s) : phases_asked(a, s.barriers);
  std::vector<std::uint64_t> groups;
  std::uint64_t loading = 0;
  std::vector<int> waited(max_slots, 0);
  const auto note = [&] {
    std::uint64_t all = loading;
    for (const std::uint64_t g : groups) all |= g;
    t.reading.push_back(all);
    t.waited_for.push_back(waited);
  };
  note();
  for (std::size_t n = 0; n < a.actions.size(); ++n) {
    const action& x = a.actions[n];
    if (x.what == act::multiply) groups.push_back(x.slots);
    if (x.what == act::read && a.role > 0) loading |= x.slots;
    if (x.what == act::meet || x.what == act::gather) loading = 0;
    if (x.what == act::retire)
      while (static_cast<int>(groups.size()) > x.bytes) groups.erase(groups.begin());
    if (x.what == act::wait)
      for (int slot = 0; slot < max_slots; ++slot)
        if (s.full_barrier[slot] == x.barrier) waited[slot] = t.asked[n];
    note();
  }
  loading = 0;  // no thread ends before its loads
  t.reading.pop_back(), t.waited_for.pop_back();
  note();
  return t;
}

/// What is wrong with an agent's epilogue, nothing if it is right. Buffers belong to one warpgroup, so its own order
/// decides: write, proxy fence, meet, store; and write again only when thread 0 has waited until TMA has read, and the
/// other warps have met it since.
inline std::string wrong_epilogue(const agent& a) {
  std::uint64_t written = 0, fenced = 0, published = 0;
  std::vector<std::uint64_t> storing{0};  // groups, oldest first; the last is open
  std::uint64_t freed = 0;                // read, as thread 0 knows
  for (const action& x : a.actions) {
    const std::uint64_t panel = std::uint64_t{1} << (x.barrier & 63);
    std::uint64_t busy = freed;
    for (const std::uint64_t g : storing) busy |= g;
    switch (x.what) {
      case act::write_panel:
        if (busy & panel) return "an epilogue buffer is written while TMA may read it";
        written |= panel;
        fenced &= ~panel;
        published &= ~panel;
        break;
      case act::proxy_fence:
        fenced |= written;
        break;
      case act::meet:
      case act::gather:
        published |= fenced;
        freed = 0;
        break;
      case act::store_panel:
        if (!(published & panel)) return "an epilogue buffer is stored before all warps have published it";
        storing.back() |= panel;
        break;
      case act::close_store:
        storing.push_back(0);
        break;
      case act::reclaim:
        while (static_cast<int>(storing.size()) - 1 > x.bytes) {
          freed |= storing.front();
          storing.erase(storing.begin());
        }
        break;
      default:
        break;
    }
  }
  for (const std::uint64_t g : storing)
    if (g) return "a warpgroup leaves while TMA reads its epilogue buffers";
  return "";
}

}  // namespace sectile::orders
