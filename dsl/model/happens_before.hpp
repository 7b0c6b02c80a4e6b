// What happened before what, as vector clocks over threads, barriers and asynchronous operations.
//
// Every source of events has a component: the ordinary shared-memory writes of a thread, the same once fenced for the
// asynchronous proxy, its ordinary reads, the phases of an mbarrier, the wgmma groups of a warpgroup, the bulk store
// groups of a thread. An event is "component c has reached count n"; a thread's knowledge is, per component, the
// highest count it is ordered after. An access is judged by what its thread knows, not by when it runs, so a missing
// wait is found even in runs where it did no harm; and as the roles of a kernel are deterministic and barriers only
// count, one run speaks for all.
//
// Threads of a CTA mostly know the same things. Knowledge is therefore an immutable, shared snapshot: comparing and
// copying are pointer operations, and joins of the same two snapshots are remembered.
#pragma once

#include <array>
#include <boost/smart_ptr/intrusive_ptr.hpp>
#include <cstdint>
#include <vector>

namespace sectile::model {

struct cuda_thread;

using component = std::uint32_t;

/// "Component `by` has reached count `at`." Component 0 has no events: {} is before everything.
struct event {
  component by = 0;
  std::uint32_t at = 0;

  friend bool operator==(const event&, const event&) = default;
};

struct snapshot {
  mutable std::uint32_t references = 0;
  std::vector<std::uint32_t> counts;  ///< by component; those beyond the end are 0
};

inline void intrusive_ptr_add_ref(const snapshot* s) { ++s->references; }
inline void intrusive_ptr_release(const snapshot* s) {
  if (--s->references == 0) delete s;
}

/// What somebody knows; null knows nothing.
using knowledge = boost::intrusive_ptr<const snapshot>;

inline bool knows(const snapshot* k, event e) {
  return e.by == 0 || (k != nullptr && e.by < k->counts.size() && k->counts[e.by] >= e.at);
}
inline bool knows(const knowledge& k, event e) { return knows(k.get(), e); }

/// The count of component `by` that k has seen.
inline std::uint32_t count_of(const knowledge& k, component by) {
  return k && by < k->counts.size() ? k->counts[by] : 0;
}

/// Knowledge of one event.
knowledge knowledge_of(event e);

/// Knowledge that a barrier gathers from those who arrive.
struct gathering {
  void add(const knowledge& k);
  void add(event e);
  knowledge freeze() const;
  void clear();
  bool empty() const { return counts_.empty(); }

 private:
  std::vector<std::uint32_t> counts_;
  knowledge last_;  // added last; its like need not be added again
};

/// Joins of snapshots, the recent ones remembered.
struct join_memory {
  /// What who knows both knows.
  knowledge join(const knowledge& a, const knowledge& b);

 private:
  struct remembered {
    knowledge a, b, result;
  };
  std::array<remembered, 256> recent_{};
};

/// The clock of one thread. Its own events are numbered by `now`, which moves on whenever something is published, so an
/// event at `now` is not yet known to anyone else.
struct thread_clock {
  knowledge seen;
  component writes = 0;  ///< own writes; writes + 1: own writes that are fenced for the asynchronous proxy
  component reads = 0;   ///< own ordinary reads
  std::uint32_t now = 1;
  std::uint32_t fenced = 0;  ///< own writes up to this count are fenced
  std::uint32_t marked = 0;  ///< the last count that an access was given

  /// The event that an access of component `c` (writes or reads) is known by.
  event mark(component c) {
    marked = now;
    return {c, now};
  }

  /// fence.proxy.async
  void fence() { fenced = now++; }
  /// Hands everything known and done so far to a barrier.
  void release_to(gathering& barrier) {
    barrier.add(seen);
    if (writes != 0) {
      barrier.add(event{writes, now});
      barrier.add(event{writes + 1, fenced});
    }
    if (reads != 0) barrier.add(event{reads, now});
    ++now;
  }
};

/// What a thread did, and when.
struct deed {
  event at;
  const cuda_thread* by = nullptr;
};
/// Whether that comes before what thread t does now.
bool comes_before(const cuda_thread& t, const deed& d);

/// Adds `e` to the latest events of each component.
void note_latest(auto& events, event e) {
  for (event& other : events)
    if (other.by == e.by) return void(other = e);
  events.push_back(e);
}

}  // namespace sectile::model
