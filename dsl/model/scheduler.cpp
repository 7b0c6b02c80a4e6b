// Who runs next: the fibers of one cluster take turns on one OS thread, and asynchronous operations complete between
// them.
//
// In the fair schedule threads run in turn, each until it must wait, and an asynchronous operation completes only when
// no thread can run: as late as can be. In a random one, thread and operation are drawn, and every verb may let others
// go first. How eagerly operations complete is drawn once for each run, so that a few seeds cover both extremes.
#include <algorithm>
#include <sectile/dsl/model/cluster.hpp>
#include <sectile/dsl/model/names.hpp>

namespace sectile::model {
namespace {

thread_local cuda_thread* running_thread = nullptr;

int launch_registers(const launch& what) {
  if (what.how.registers_per_thread > 0) return what.how.registers_per_thread;
  return std::min(256, 65536 / what.shape.threads / 8 * 8);
}

}  // namespace

void report(hazard_kind kind, const std::string& message) { throw hazard(kind, message); }

void report_register_access(const register_state& state, const char* access) {
  report(hazard_kind::register_in_flight,
         text(name(*running_thread), " ", access, " registers that ",
              text("are the ", name_of(state.pending_use)),
              " of a pending wgmma (group ", state.pending_group, "): a wgmma_wait that covers it must come first"));
}

void report_register_destroyed(const register_state& state) noexcept {
  if (std::uncaught_exceptions() > 0) return;  // something else has gone wrong before
  cluster& c = *running_thread->all;
  try {
    report_register_access(state, "gives up");
  } catch (...) {
    c.fail(std::current_exception());
  }
}

void report_register_index(int index, int size) {
  const std::string what = text("register ", index, " of a block of ", size);
  if (running_thread == nullptr) throw std::out_of_range(what);
  report(hazard_kind::out_of_range, text(name(*running_thread), " accesses ", what));
}

std::uint64_t random_stream::next() {
  state += 0x9E37'79B9'7F4A'7C15u;
  std::uint64_t z = state;
  z = (z ^ (z >> 30)) * 0xBF58'476D'1CE4'E5B9u;
  z = (z ^ (z >> 27)) * 0x94D0'49BB'1331'11EBu;
  return z ^ (z >> 31);
}

cta::cta(cluster& c, int rank_in_cluster, const grid& shape, bool tracked)
    : all(&c),
      rank(rank_in_cluster),
      memory(shape.shared_bytes, tracked),
      warps(static_cast<std::size_t>(shape.threads) / 32),
      warpgroups((static_cast<std::size_t>(shape.threads) + 127) / 128),
      running(shape.threads) {
  for (warp& w : warps) w.registers = launch_registers(c.what);
  for (warpgroup& g : warpgroups) {
    g.home = this;
    if (tracked) g.id = c.new_component({.what = component_owner::kind::wgmma, .group = &g});
  }
  for (int i = 0; i < shape.threads; ++i) {
    auto t = std::make_unique<cuda_thread>();
    t->all = all;
    t->block = this;
    t->index = i;
    threads.push_back(std::move(t));
  }
}

cluster::cluster(const launch& l, int cluster_index, stack_pool& stacks)
    : what(l), index(cluster_index), owners(1), stacks_(stacks), random_{l.how.seed} {
  random_.state = random_.next() + static_cast<std::uint64_t>(index) * 0xD1B5'4A32'D192'ED03u;
  async_odds_ = std::uint64_t{1} << (1 + 3 * random_.below(4));
  for (int rank = 0; rank < what.shape.cluster_size; ++rank) {
    ctas.push_back(std::make_unique<cta>(*this, rank, what.shape, checked()));
    for (const auto& t : ctas.back()->threads) ready_.push_back(t.get());
  }
  running = static_cast<int>(ready_.size());
}

void cluster::run() {
  try {
    while (!failure && (running > 0 || !in_flight.empty())) {
      if (cuda_thread* t = next_thread()) {
        resume(*t);
      } else if (!in_flight.empty()) {
        complete_one();
      } else {
        report(lacks_registers(*this) ? hazard_kind::register_budget : hazard_kind::deadlock, describe_deadlock(*this));
      }
    }
  } catch (...) {
    fail(std::current_exception());
  }
  cancel_all();
  if (failure) std::rethrow_exception(failure);
}

/// The thread whose turn it is, or nullptr if an asynchronous operation is next.
cuda_thread* cluster::next_thread() {
  if (ready_.empty()) return nullptr;
  if (what.how.random_schedule) {
    if (!in_flight.empty() && random_.below(async_odds_) == 0) return nullptr;
    std::swap(ready_.front(), ready_[random_.below(ready_.size())]);
  }
  cuda_thread* t = ready_.front();
  ready_.pop_front();
  return t;
}

void cluster::complete_one() {
  if (what.how.random_schedule) std::swap(in_flight.front(), in_flight[random_.below(in_flight.size())]);
  const std::unique_ptr<async_operation> operation = std::move(in_flight.front());
  in_flight.pop_front();
  operation->complete();
}

void cluster::resume(cuda_thread& t) {
  if (!t.execution.started()) {
    const auto body = [](void* thread) {
      auto& self = *static_cast<cuda_thread*>(thread);
      self.all->thread_body(self);
    };
    t.execution.start(stacks_, body, &t);
  }
  running_progress = &t.registers;
  running_thread = &t;
  t.execution.resume();
  running_thread = nullptr;
  running_progress = &outside_of_simulation;
}

void cluster::thread_body(cuda_thread& t) {
  try {
    machine hw(t, t.index, t.block->rank, index, what.shape.clusters);
    what.call(what.entry, hw);
    exit_thread(t);
  } catch (const cancelled&) {
  } catch (...) {
    fail(std::current_exception());
  }
}

void cluster::exit_thread(cuda_thread& t) {
  if (failure) return;
  cta& c = *t.block;
  check_bulk_at_exit(t);
  leave_warp(t);
  leave_warpgroup(t);
  if (checked()) t.clock.release_to(c.at_exit);
  leave_cluster(*this, t);
  if (--c.running == 0 && checked()) check_barriers_at_exit(c);
}

void cluster::cancel_all() {
  for (const auto& c : ctas) {
    for (const auto& t : c->threads) {
      while (t->execution.started() && !t->execution.finished()) resume(*t);
    }
  }
}

void cluster::fail(std::exception_ptr why) noexcept {
  if (!failure) failure = why;
}

void cluster::enter(cuda_thread& t) {
  if (failure) throw cancelled{};
  if (++steps_ > what.how.step_limit) {
    report(hazard_kind::runaway, text("cluster ", index, " has executed ", what.how.step_limit,
                                      " instructions of the machine; raise options::step_limit if that is right"));
  }
  if (what.how.random_schedule && random_.below(8) == 0) {
    ready_.push_back(&t);
    t.execution.suspend();
    if (failure) throw cancelled{};
  }
}

void cluster::block(cuda_thread& t, wait_reason reason) {
  t.waiting = reason;
  t.execution.suspend();
  if (failure) throw cancelled{};
}

void cluster::wake(cuda_thread& t) {
  if (t.waiting.what == waiting_for::nothing) return;
  t.waiting.what = waiting_for::nothing;
  ready_.push_back(&t);
}

void cluster::wake_all(std::vector<cuda_thread*>& waiters) {
  for (cuda_thread* t : waiters) wake(*t);
  waiters.clear();
}

component cluster::new_component(const component_owner& owner) {
  owners.push_back(owner);
  return static_cast<component>(owners.size() - 1);
}

void cluster::number_writes(cuda_thread& t) {
  if (t.clock.writes != 0) return;
  t.clock.writes = new_component({.what = component_owner::kind::thread_writes, .thread = &t});
  new_component({.what = component_owner::kind::fenced_writes, .thread = &t});
}

void cluster::number_reads(cuda_thread& t) {
  if (t.clock.reads == 0) t.clock.reads = new_component({.what = component_owner::kind::thread_reads, .thread = &t});
}

}  // namespace sectile::model
