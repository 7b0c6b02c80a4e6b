#include <sectile/dsl/model/cluster.hpp>
#include <sectile/dsl/model/names.hpp>
#include <sectile/dsl/model/thread_barriers.hpp>

namespace sectile::model {
namespace {

named_barrier& find_named(cuda_thread& t, int id, int threads, const char* verb) {
  const auto refuse = [&](const std::string& why) {
    report(hazard_kind::barrier_misuse, text(verb, "(", id, ", ", threads, ") of ", name(t), ": ", why));
  };
  const int available = t.all->what.shape.threads;
  if (id < 0 || id > 15) refuse("named barriers are 0..15");
  if (threads < 32 || threads % 32 != 0 || threads > available) {
    refuse(text("the count must be a multiple of 32, at most the ", available, " threads of the CTA"));
  }
  named_barrier& b = t.block->named[id];
  if (b.expected != 0 && b.expected != threads) refuse(text("others that are there expect ", b.expected, " threads"));
  b.expected = threads;
  return b;
}

/// Whether this was the last to come; then the others go on, knowing what everybody knew.
bool count_arrival(cuda_thread& t, named_barrier& b) {
  cluster& all = *t.all;
  if (all.checked()) t.clock.release_to(b.arriving);
  b.came.push_back(&t);
  if (++b.arrived < b.expected) return false;
  b.came_before.swap(b.came);
  b.came.clear();
  if (all.checked()) {
    const knowledge met = b.arriving.freeze();
    for (cuda_thread* w : b.waiters) w->clock.seen = met;
    b.arriving.clear();
  }
  b.arrived = b.expected = 0;
  b.said_yes = b.yes;
  b.yes = false;
  ++b.uses;
  return true;
}

void release(cluster& c) {
  if (c.checked()) {
    const knowledge met = c.barrier.arriving.freeze();
    for (cuda_thread* w : c.barrier.waiters) w->clock.seen = met;
  }
  ++c.barrier.uses;
  c.wake_all(c.barrier.waiters);
}

}  // namespace

bool sync_named(cuda_thread& t, int id, int threads, bool yes) {
  named_barrier& b = find_named(t, id, threads, "named_barrier_sync");
  b.yes = b.yes || yes;
  const std::uint32_t use = b.uses;
  b.waiters.push_back(&t);
  if (count_arrival(t, b)) t.all->wake_all(b.waiters);
  while (b.uses == use) t.all->block(t, {waiting_for::named_barrier, static_cast<std::uint32_t>(id), 0});
  return b.said_yes;
}

void arrive_named(cuda_thread& t, int id, int threads) {
  named_barrier& b = find_named(t, id, threads, "named_barrier_arrive");
  if (count_arrival(t, b)) t.all->wake_all(b.waiters);
}

void sync_cluster(cuda_thread& t) {
  cluster& c = *t.all;
  const std::uint32_t use = c.barrier.uses;
  if (c.checked()) t.clock.release_to(c.barrier.arriving);
  c.barrier.waiters.push_back(&t);
  if (static_cast<int>(c.barrier.waiters.size()) == c.running) release(c);
  while (c.barrier.uses == use) c.block(t, {waiting_for::cluster_barrier, 0, 0});
}

void check_named_at_exit(const cta& c) {
  for (int id = 0; id < 16; ++id) {
    const named_barrier& b = c.named[id];
    if (b.arrived == 0) continue;
    const named_barrier_label* const label = label_of_named(c, id);
    report(hazard_kind::arrival_left,
           text("cta ", c.rank, " exits with ", b.arrived, " of ", b.expected, " threads at named barrier ", id,
                label != nullptr ? text(" (", label->name, ")") : "", ", the first of them ", name(*b.came.front()),
                ": nobody takes their arrival, and the next use of the barrier would begin with it"));
  }
}

void leave_cluster(cluster& c, cuda_thread& t) {
  if (c.checked()) t.clock.release_to(c.barrier.arriving);
  --c.running;
  if (c.running > 0 && static_cast<int>(c.barrier.waiters.size()) == c.running) release(c);
}

}  // namespace sectile::model
