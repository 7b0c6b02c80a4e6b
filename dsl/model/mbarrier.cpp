#include <algorithm>
#include <sectile/dsl/model/cluster.hpp>
#include <sectile/dsl/model/mbarrier.hpp>
#include <sectile/dsl/model/names.hpp>

namespace sectile::model {
namespace {

constexpr std::int64_t largest_count = (1 << 20) - 1;  // of arrivals and, either sign, of transaction bytes

std::string counts(const mbarrier& b) {
  return text(b.expected - b.pending, " of ", b.expected, " arrivals, ", b.transactions, " bytes outstanding");
}

/// "; arrived: producer (thread 0, k = 2)", or ""
std::string arrivals(const std::vector<mbarrier::actor>& actors) {
  std::string names;
  for (const mbarrier::actor& a : actors) names += (names.empty() ? "; arrived: " : ", ") + name(*a.thread, a.trip);
  return names;
}

/// What is in flight to the open phase: "4096 bytes of B stage 0 by producer (thread 0, k = 2)".
std::string loads_in_flight(const mbarrier& b) {
  std::string all;
  for (const mbarrier::copy& load : b.loads) {
    if (!load.landed) all += (all.empty() ? "" : "; ") + describe(b, load);
  }
  return all;
}

enum class user : std::uint8_t { own_thread, other_cta, tma };

/// Initialisation must be known to whoever uses the barrier; TMA and other CTAs see it only after mbarrier_init_fence.
void require_ready(const cuda_thread& t, const mbarrier& b, user as, const char* verb) {
  const bool own = b.initialised_by == &t;
  if (as == user::own_thread) {
    if (own || knows(t.clock.seen, b.initialised)) return;
    report(hazard_kind::barrier_not_ready,
           text(verb, " of ", name(t), " uses ", name(b), ", which ", name_at(*b.initialised_by, b.initialised),
                " initialised, without a barrier between the two"));
  }
  if (b.init_fenced.by == 0) {
    report(hazard_kind::barrier_not_ready,
           text(verb, " of ", name(t), " uses ", name(b), ", whose initialisation ",
                name_at(*b.initialised_by, b.initialised), " has not published: mbarrier_init_fence is missing"));
  }
  if (!own && !knows(t.clock.seen, b.init_fenced)) {
    report(hazard_kind::barrier_not_ready,
           text(verb, " of ", name(t), " uses ", name(b), " without a barrier after the mbarrier_init_fence of ",
                name_at(*b.initialised_by, b.initialised)));
  }
}

mbarrier& find_barrier(cuda_thread& t, cta& target, std::uint32_t address, user as, const char* verb) {
  require_shared(target, t, address, 8, 8, verb);
  const std::int32_t i = target.memory.barrier_index(address);
  if (i < 0) {
    report(hazard_kind::barrier_not_ready,
           text(verb, " of ", name(t), " uses ", name_barrier(target, address), ", which has not been initialised"));
  }
  mbarrier& b = target.barriers[static_cast<std::size_t>(i)];
  if (t.all->checked()) require_ready(t, b, as, verb);
  return b;
}

void complete_phase(mbarrier& b) {
  cluster& all = *b.home->all;
  if (b.loads_in_flight > 0) {
    report(hazard_kind::transaction_count,
           text(name(b), " completes phase ", b.phase, " while ", b.loads_in_flight,
                b.loads_in_flight == 1 ? " TMA load that reports to it is in flight ("
                                       : " TMA loads that report to it are in flight (",
                loads_in_flight(b), "): fewer bytes were expected than are copied", arrivals(b.arrived)));
  }
  if (b.waiters_to_resume > 0) {
    report(hazard_kind::lagging_parity,
           text(name(b), " completes phase ", b.phase, " before a thread that waited for phase ", b.phase - 1,
                " has seen it: by parity alone that thread could not tell; the next phase must not complete without it",
                arrivals(b.arrived)));
  }
  ++b.phase;
  b.pending = b.expected;
  b.arrived_before = std::move(b.arrived);
  b.arrived.clear();
  if (all.checked()) {
    b.arriving.add(event{b.id, b.phase});
    if (b.copies != 0) {
      b.arriving.add(event{b.copies, b.phase});
      b.shown = knowledge_of({b.copies + 1, b.phase});
    }
    b.completed = b.arriving.freeze();
  }
  b.waiters_to_resume = static_cast<int>(b.waiters.size());
  all.wake_all(b.waiters);
}

void settle(mbarrier& b) {
  if (b.transactions > largest_count || b.transactions < -largest_count) {
    report(hazard_kind::transaction_count, text(name(b), ": transaction count ", b.transactions, " in phase ", b.phase,
                                                " is outside +-", largest_count));
  }
  if (b.pending > 0) return;
  if (b.transactions < 0) {
    report(hazard_kind::transaction_count,
           text(name(b), " can never complete phase ", b.phase, ": all ", b.expected, " arrivals are in, and ",
                -b.transactions, " bytes more have arrived than were expected", arrivals(b.arrived)));
  }
  if (b.transactions == 0) complete_phase(b);
}

void count_arrival(const mbarrier::actor& by, mbarrier& b, const char* verb) {
  if (b.pending == 0) {
    report(hazard_kind::arrival_overflow,
           text(verb, " of ", name(*by.thread, by.trip), ": phase ", b.phase, " of ", name(b), " has all its ",
                b.expected, " arrivals already (", b.transactions, " bytes outstanding)", arrivals(b.arrived)));
  }
  --b.pending;
  b.arrived.push_back(by);
}
void count_arrival(cuda_thread& t, mbarrier& b, const char* verb) {
  count_arrival(mbarrier::actor{&t, t.trips.now}, b, verb);
  if (t.all->checked()) t.clock.release_to(b.arriving);
}

/// The phase that a wait means is the latest with its parity that the thread may not know to be complete. By the time
/// it asks, at most that one may have completed; later ones would make the parity ambiguous.
void require_not_lagging(const cuda_thread& t, const mbarrier& b, int parity) {
  const std::uint32_t known = count_of(t.clock.seen, b.id);
  const bool next = known % 2 == static_cast<std::uint32_t>(parity);
  const std::uint32_t latest = next ? known + 1 : known;
  if (b.phase <= latest) return;
  report(hazard_kind::lagging_parity,
         text("mbarrier_wait of ", name(t), " on ", name(b), " means phase ", static_cast<std::int64_t>(latest) - 1,
              " (parity ", parity, "), but phase ", b.phase - 1,
              " has completed too: by parity alone the two cannot be told apart", arrivals(b.arrived_before)));
}

}  // namespace

void require_running(const cuda_thread& t, const cta& target, const char* verb) {
  if (target.running == 0) {
    report(hazard_kind::peer_exited, text(verb, " of ", name(t), " goes to cta ", target.rank, ", which has exited"));
  }
}

void initialise_barrier(cuda_thread& t, std::uint32_t address, int arrivals) {
  cta& c = *t.block;
  require_shared(c, t, address, 8, 8, "mbarrier_init");
  if (arrivals < 1 || arrivals > largest_count) {
    report(hazard_kind::barrier_misuse, text("mbarrier_init of ", name(t), " on ", name_barrier(c, address), ": ",
                                             arrivals, " arrivals are not in 1..", largest_count));
  }
  std::int32_t& index = c.memory.barrier_index(address);
  if (index >= 0) {
    report(hazard_kind::barrier_reused,
           text("mbarrier_init of ", name(t), ": ", name_barrier(c, address), " has been initialised already"));
  }
  index = static_cast<std::int32_t>(c.barriers.size());
  mbarrier& b = c.barriers.emplace_back();
  b.home = &c;
  b.address = address;
  b.expected = b.pending = arrivals;
  b.initialised_by = &t;
  if (!t.all->checked()) return;
  b.id = t.all->new_component({.what = component_owner::kind::mbarrier, .barrier = &b});
  b.initialised = t.all->write_mark(t);
}

void fence_initialised_barriers(cuda_thread& t) {
  if (!t.all->checked()) return;
  for (mbarrier& b : t.block->barriers) {
    if (b.initialised_by == &t && b.init_fenced.by == 0) b.init_fenced = {t.clock.writes, t.clock.now};
  }
  ++t.clock.now;
}

bool would_wait(const cuda_thread& t, std::uint32_t address, int parity) {
  const cta& c = *t.block;
  if (address % 8 != 0 || !c.memory.contains(address, 8)) return false;
  const std::int32_t i = c.memory.barrier_index(address);
  return i >= 0 && c.barriers[static_cast<std::size_t>(i)].phase % 2 == static_cast<std::uint32_t>(parity);
}

std::string describe(const mbarrier& b, const mbarrier::copy& load) {
  const std::string part = name_part(*b.home, load.to);
  return text(load.bytes, " bytes", part.empty() ? "" : " of " + part, " by ", name(*load.by.thread, load.by.trip));
}

const mbarrier::copy* find_load(const mbarrier& b, std::uint32_t phase, std::uint32_t address) {
  for (auto l = b.loads.rbegin(); l != b.loads.rend(); ++l) {
    if (l->phase == phase && within_window(l->to) <= address && address < within_window(l->to) + l->bytes) return &*l;
  }
  return nullptr;
}

void wait_for_phase(cuda_thread& t, std::uint32_t address, int parity) {
  mbarrier& b = find_barrier(t, *t.block, address, user::own_thread, "mbarrier_wait");
  if (parity != 0 && parity != 1) {
    report(hazard_kind::barrier_misuse,
           text("mbarrier_wait of ", name(t), " on ", name(b), ": parity ", parity, " is neither 0 nor 1"));
  }
  if (t.all->checked()) require_not_lagging(t, b, parity);
  if (b.phase % 2 == static_cast<std::uint32_t>(parity)) {
    const std::uint32_t waited = b.phase;
    b.waiters.push_back(&t);
    while (b.phase == waited) t.all->block(t, {waiting_for::mbarrier, address, waited});
    --b.waiters_to_resume;
  }
  t.all->acquire(t, b.completed);
}

namespace {

/// The barrier of another CTA stays as long as somebody goes there: what thread t does last is noted.
void note_remote_use(cuda_thread& t, mbarrier& b) {
  if (!t.all->checked()) return;
  note_latest(b.remote_arrivals, t.all->write_mark(t));
}
mbarrier& find_remote_barrier(cuda_thread& t, cta& target, std::uint32_t address, const char* verb) {
  const bool remote = &target != t.block;
  require_running(t, target, verb);
  mbarrier& b = find_barrier(t, target, address, remote ? user::other_cta : user::own_thread, verb);
  if (remote) note_remote_use(t, b);
  return b;
}

}  // namespace

void arrive(cuda_thread& t, cta& target, std::uint32_t address) {
  const char* verb = &target != t.block ? "mbarrier_arrive_at" : "mbarrier_arrive";
  mbarrier& b = find_remote_barrier(t, target, address, verb);
  count_arrival(t, b, verb);
  settle(b);
}

void complete_transaction(cuda_thread& t, cta& target, std::uint32_t address, int bytes) {
  mbarrier& b = find_remote_barrier(t, target, address, "store_shared_async");
  b.transactions -= bytes;
  if (t.all->checked()) t.clock.release_to(b.arriving);
  settle(b);
}

void arrive_and_expect(cuda_thread& t, std::uint32_t address, int bytes) {
  mbarrier& b = find_barrier(t, *t.block, address, user::own_thread, "mbarrier_arrive_expect");
  if (bytes < 0 || bytes > largest_count) {
    report(hazard_kind::transaction_count, text("mbarrier_arrive_expect of ", name(t), " on ", name(b), ": ", bytes,
                                                " bytes are not in 0..", largest_count));
  }
  b.transactions += bytes;
  count_arrival(t, b, "mbarrier_arrive_expect");
  settle(b);
}

mbarrier& begin_load(cuda_thread& t, cta& target, std::uint32_t address, std::uint32_t to, std::uint32_t bytes) {
  require_running(t, target, "tma_load");
  mbarrier& b = find_barrier(t, target, address, user::tma, "tma_load");
  ++b.loads_in_flight;
  b.last_load_phase = b.phase + 1;
  b.loads.push_back({b.phase, to, bytes, {&t, t.trips.now}});
  return b;
}

void end_load(mbarrier& b, std::size_t load) {
  --b.loads_in_flight;
  b.loads[load].landed = true;
  b.transactions -= b.loads[load].bytes;
  settle(b);
}

mbarrier& begin_copies(cuda_thread& t, std::uint32_t address, std::uint32_t to, std::uint32_t bytes) {
  mbarrier& b = find_barrier(t, *t.block, address, user::own_thread, "mbarrier_arrive_copied");
  if (b.copies == 0 && t.all->checked()) {
    b.copies = t.all->new_component({.what = component_owner::kind::copies, .barrier = &b});
    t.all->new_component({.what = component_owner::kind::copies, .barrier = &b});
  }
  b.last_load_phase = b.phase + 1;
  b.loads.push_back({b.phase, to, bytes, {&t, t.trips.now}, false, true});
  return b;
}

void end_copies(mbarrier& b, std::size_t load) {
  b.loads[load].landed = true;
  count_arrival(b.loads[load].by, b, "mbarrier_arrive_copied");
  settle(b);
}

void check_barriers_at_exit(const cta& c) {
  const knowledge seen = c.at_exit.freeze();
  for (const mbarrier& b : c.barriers) {
    if (b.last_load_phase > 0 && !knows(seen, event{b.id, b.last_load_phase})) {
      report(hazard_kind::exit_in_flight,
             text("cta ", c.rank, " exits although none of its threads has waited for phase ", b.last_load_phase - 1,
                  " of ", name(b), ", to which TMA loads report (", counts(b), "; the last is of ",
                  describe(b, b.loads.back()), "): they may land after the exit"));
    }
    for (const event e : b.remote_arrivals) {
      if (knows(seen, e)) continue;
      report(hazard_kind::peer_exited, text("cta ", c.rank, " exits although nothing orders the arrival of ",
                                            name_at(*c.all->owners[e.by].thread, e), " at ", name(b),
                                            " before it: it may come after the exit; end with cluster_sync"));
    }
  }
}

}  // namespace sectile::model
