// The report for a state in which nobody can go on: who waits for what, and what would release them.
#include <sectile/dsl/model/cluster.hpp>
#include <sectile/dsl/model/names.hpp>

namespace sectile::model {
namespace {

std::string plural(std::int64_t n, const char* what) { return text(n, " ", what, n == 1 ? "" : "s"); }

std::string describe_mbarrier(const mbarrier& b, std::uint32_t phase) {
  const int came = b.expected - b.pending;
  std::string line = text("waits for phase ", phase, " (parity ", phase % 2, ") of ", name(b), ": ", came, " of ",
                          plural(b.expected, "arrival"), ", ", plural(b.transactions, "byte"), " outstanding");
  if (b.pending > 0 && b.transactions != 0) {
    return line + text("; ", plural(b.pending, "more arrival"), " and the bytes would release it");
  }
  if (b.pending > 0) return line + text("; ", plural(b.pending, "more arrival"), " would release it");
  return line + "; no copy that would bring them is in flight";
}

std::string describe_wait(const cuda_thread& t) {
  cta& c = *t.block;
  const wait_reason& why = t.waiting;
  switch (why.what) {
    case waiting_for::nothing:
      return "can run";
    case waiting_for::mbarrier:
      return describe_mbarrier(c.barriers[static_cast<std::size_t>(c.memory.barrier_index(why.where))], why.phase);
    case waiting_for::named_barrier: {
      const named_barrier& b = c.named[why.where];
      return text("waits at named barrier ", why.where, ": ", b.arrived, " of ", plural(b.expected, "thread"),
                  " are there; ", b.expected - b.arrived, " more would release it");
    }
    case waiting_for::cluster_barrier: {
      const auto there = static_cast<int>(c.all->barrier.waiters.size());
      return text("waits at cluster_sync: ", there, " of ", plural(c.all->running, "running thread"), " are there; ",
                  c.all->running - there, " more would release it");
    }
    case waiting_for::wgmma:
      return text("waits for wgmma group ", why.where,
                  ", which not all threads of the warpgroup have issued and committed");
    case waiting_for::bulk_reads:
    case waiting_for::bulk_writes:
      return text("waits for bulk store group ", why.where);
    case waiting_for::lanes:
      return text("waits in ", name(static_cast<warp_instruction>(why.where)), " for the other lanes of its warp");
    case waiting_for::registers:
      return text("waits for setmaxnreg.inc to ", why.where, " registers per thread: its warp needs ",
                  32 * (static_cast<int>(why.where) - t.own_warp().registers), " more, the CTA's pool has ",
                  c.free_registers, " free");
  }
  return "";
}

const char* role_of(const cuda_thread& t) {
  for (const role_label& l : t.all->what.how.role_labels) {
    if (l.first_thread <= t.index && t.index <= l.last_thread) return l.role;
  }
  return "";
}

bool alike(const cuda_thread& x, const cuda_thread& y) {
  return x.waiting == y.waiting && role_of(x) == role_of(y) && x.execution.finished() == y.execution.finished();
}

}  // namespace

std::string describe_deadlock(const cluster& c) {
  std::string lines = text("deadlock in cluster ", c.index, ": no thread can go on");
  for (const auto& block : c.ctas) {
    const auto& threads = block->threads;
    for (std::size_t first = 0, next; first < threads.size(); first = next) {
      next = first + 1;
      while (next < threads.size() && alike(*threads[first], *threads[next])) ++next;
      if (threads[first]->execution.finished()) continue;
      lines += text("\n  ", name_threads(*block, static_cast<int>(first), static_cast<int>(next) - 1), ": ",
                    describe_wait(*threads[first]));
    }
  }
  return lines;
}

bool lacks_registers(const cluster& c) {
  for (const auto& block : c.ctas) {
    for (const warp& w : block->warps) {
      if (w.wanted_registers != 0) return true;
    }
  }
  return false;
}

}  // namespace sectile::model
