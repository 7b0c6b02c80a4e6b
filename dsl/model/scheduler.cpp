// Who runs next: the fibers of one cluster take turns on one OS thread, and asynchronous operations complete between
// them.
#include <algorithm>
#include <map>
#include <sectile/dsl/model/cluster.hpp>
#include <sectile/dsl/model/names.hpp>
#include <sectile/dsl/model/ordinary.hpp>

namespace sectile::model {
namespace {

thread_local cuda_thread* running_thread = nullptr;

/// Threads of a role take turns together; where no role is known, those of a warpgroup.
void number_units(cluster& c) {
  std::map<std::pair<int, int>, std::size_t> units;  // CTA, first thread
  for (const auto& block : c.ctas) {
    for (const auto& t : block->threads) {
      t->role = role_of(*block, t->index);
      const int first = t->role != nullptr ? t->role->first_thread : t->index / 128 * 128;
      t->unit = units.try_emplace({block->rank, first}, units.size()).first->second;
    }
  }
}

int launch_registers(const launch& what) {
  if (what.how.registers_per_thread > 0) return what.how.registers_per_thread;
  return std::min(256, 65536 / what.shape.threads / 8 * 8);
}

}  // namespace

void report(hazard_kind kind, const std::string& message) { throw hazard(kind, message); }

cuda_thread& running() { return *running_thread; }

void report_register_access(const register_state& state, const char* access) {
  report(hazard_kind::register_in_flight,
         text(name(*running_thread), " ", access, " registers that ", text("are the ", name_of(state.pending_use)),
              " of a pending wgmma (group ", state.pending_group,
              name_trip(running_thread->own_warpgroup().trip_of(state.pending_group)),
              "): a wgmma_wait that covers it must come first"));
}

void report_not_taken_over(const register_state& state) {
  report(hazard_kind::not_taken_over,
         text(name(*running_thread), " reads or writes registers that were the ", name_of(state.pending_use),
              " of a wgmma (group ", state.pending_group,
              name_trip(running_thread->own_warpgroup().trip_of(state.pending_group)),
              "): the wgmma_wait has been, but a touch behind it is missing; a compiler may use them before it"));
}

void report_unwritten(int index) {
  if (running_thread == nullptr) throw std::out_of_range(text("register ", index, " is read before it is written"));
  report(hazard_kind::unwritten_registers,
         text(name(*running_thread), " reads register ", index, " of a block, which nothing has written"));
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

cluster::cluster(const launch& l, int cluster_index, stack_pool& stacks, turns& order, bool with_numbers)
    : what(l),
      index(cluster_index),
      computes(with_numbers),
      log(l.log != nullptr && l.log->is_about(cluster_index) && with_numbers ? l.log : nullptr),
      owners(1),
      stacks_(stacks),
      order_(order) {
  for (int rank = 0; rank < what.shape.cluster_size; ++rank)
    ctas.push_back(std::make_unique<cta>(*this, rank, what.shape, checked()));
  number_units(*this);
  for (const auto& c : ctas) {
    for (const auto& t : c->threads) order_.ready(*t);
    running += c->running;
  }
}

void cluster::run() {
  try {
    while (!failure && (running > 0 || !in_flight.empty())) {
      const turn next = order_.next(in_flight);
      if (next.thread != nullptr) {
        resume(*next.thread);
      } else if (next.operation != turn::none) {
        complete(next.operation);
      } else {
        report(lacks_registers(*this) ? hazard_kind::register_budget : hazard_kind::deadlock, describe_deadlock(*this));
      }
    }
  } catch (...) {
    fail(std::current_exception());
  }
  cancel_all();
  if (failure) std::rethrow_exception(failure);
  if (what.writes != nullptr && computes) what.writes->take(std::move(writes));
}

void cluster::complete(std::size_t operation) {
  const std::unique_ptr<async_operation> chosen = std::move(in_flight[operation]);
  in_flight.erase(in_flight.begin() + static_cast<std::ptrdiff_t>(operation));
  chosen->complete();
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
  executed_arithmetic = log != nullptr ? &t.executed : nullptr;
  t.execution.resume();
  running_thread = nullptr;
  executed_arithmetic = nullptr;
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
  check_copies_at_exit(t);
  leave_warp(t);
  leave_warpgroup(t);
  if (checked()) t.clock.release_to(c.at_exit);
  leave_cluster(*this, t);
  if (--c.running > 0 || !checked()) return;
  check_barriers_at_exit(c);
  check_named_at_exit(c);
}

void cluster::require_registers(const cuda_thread& t, const char* verb) const {
  const int has = t.own_warp().registers;
  if (t.role == nullptr || has >= t.role->registers) return;
  report(hazard_kind::register_budget,
         text(verb, " of ", name(t), ": its warp has ", has, " registers per thread, and the role was compiled for ",
              t.role->registers, ": a setmaxnreg must come first"));
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

void cluster::enter(cuda_thread& t, bool at_meeting_point) {
  t.loading = false;
  if (failure) throw cancelled{};
  if (++steps_ > what.how.step_limit) {
    report(hazard_kind::runaway, text("cluster ", index, " has executed ", what.how.step_limit,
                                      " instructions of the machine; raise options::step_limit if that is right"));
  }
  if (!order_.gives_way(t, at_meeting_point)) return;
  t.execution.suspend();
  if (failure) throw cancelled{};
}

void cluster::block(cuda_thread& t, wait_reason reason) {
  t.waiting = reason;
  t.execution.suspend();
  if (failure) throw cancelled{};
}

void cluster::wake(cuda_thread& t) {
  if (t.waiting.what == waiting_for::nothing) return;
  t.waiting.what = waiting_for::nothing;
  order_.ready(t);
}

void cluster::wake_all(std::vector<cuda_thread*>& waiters) {
  for (cuda_thread* t : waiters) wake(*t);
  waiters.clear();
}

component cluster::new_component(const component_owner& owner) {
  owners.push_back(owner);
  return static_cast<component>(owners.size() - 1);
}

event cluster::write_mark(cuda_thread& t) {
  if (!checked()) return {};
  if (t.clock.writes == 0) {
    t.clock.writes = new_component({.what = component_owner::kind::thread_writes, .thread = &t});
    new_component({.what = component_owner::kind::fenced_writes, .thread = &t});
  }
  return t.clock.mark(t.clock.writes);
}

event cluster::read_mark(cuda_thread& t) {
  if (!checked()) return {};
  if (t.clock.reads == 0) t.clock.reads = new_component({.what = component_owner::kind::thread_reads, .thread = &t});
  return t.clock.mark(t.clock.reads);
}

}  // namespace sectile::model
