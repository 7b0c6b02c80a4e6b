// The report for a state in which nobody can go on: who waits for what, who has come and who has not, what would
// release them, and the circle in which they wait for each other.
#include <algorithm>
#include <sectile/dsl/model/cluster.hpp>
#include <sectile/dsl/model/names.hpp>
#include <sectile/dsl/model/wait_graph.hpp>

namespace sectile::model {
namespace {

std::string plural(std::int64_t n, const char* what) { return text(n, " ", what, n == 1 ? "" : "s"); }

template <class All, class Name>
std::string listed(const All& all, Name name_of, const char* separator = ", ") {
  std::string line;
  for (const auto& one : all) line += (line.empty() ? "" : separator) + name_of(one);
  return line;
}

/// The party that a thread belongs to, by name: "consumer 1 (threads 256-383, k = 5)".
struct party_names {
  std::vector<party> all;

  std::string of(const party& p) const {
    return name_threads(*p.block, p.first, p.last, p.exited ? ", exited" : name_trip(p.thread().trips.now));
  }
  std::string with(const cuda_thread& t) const { return of(all[party_with(all, t)]); }
  std::string with(const std::vector<const cuda_thread*>& threads) const {
    return listed(threads, [&](const cuda_thread* t) { return with(*t); });
  }
};

constexpr const char* detail = "\n    ";

/// Who has not come yet, if that is known.
std::string describe_missing(const lack& missing, const party_names& names) {
  if (!missing.of.empty()) return text(detail, "missing: ", names.with(missing.of));
  return missing.all_known ? text(detail, "missing: nobody; all who come here have come") : "";
}

/// What would complete the open phase.
std::string release_of(const mbarrier& b) {
  if (b.pending == 0) return "; no copy that would bring them is in flight";
  return text("; ", plural(b.pending, "more arrival"), b.transactions != 0 ? " and the bytes" : "",
              " would release it");
}

std::string describe_phase(const mbarrier& b, std::uint32_t phase, const lack& missing, const party_names& names) {
  std::string lines =
      text(" for phase ", phase, " (parity ", phase % 2, ") of ", name(b), ": ", b.expected - b.pending, " of ",
           plural(b.expected, "arrival"), ", ", plural(b.transactions, "byte"), " outstanding", release_of(b));
  if (!b.arrived.empty()) {
    const auto in_words = [](const mbarrier::actor& a) { return name(*a.thread, a.trip); };
    lines += text(detail, "arrived: ", listed(b.arrived, in_words));
  }
  if (b.pending > 0 || !missing.of.empty()) lines += describe_missing(missing, names);
  std::vector<const mbarrier::copy*> landed;
  for (const mbarrier::copy& load : b.loads) {
    if (load.phase == b.phase) landed.push_back(&load);
  }
  const auto in_words = [&](const mbarrier::copy* load) { return describe(b, *load); };
  if (!landed.empty()) lines += text(detail, "landed: ", listed(landed, in_words, "; "));
  if (!missing.not_issued.empty()) {
    lines +=
        text(detail, "landed in the phase before and not in this one: ", listed(missing.not_issued, in_words, "; "));
  }
  return lines;
}

/// What follows "waits".
std::string describe_wait(const cuda_thread& t, const party_names& names) {
  const cta& c = *t.block;
  const wait_reason& why = t.waiting;
  const lack missing = lack_of(t);
  switch (why.what) {
    case waiting_for::nothing:
      return " for its turn";
    case waiting_for::mbarrier:
      return describe_phase(c.barriers[static_cast<std::size_t>(c.memory.barrier_index(why.where))], why.phase, missing,
                            names);
    case waiting_for::named_barrier: {
      const named_barrier& b = c.named[why.where];
      const named_barrier_label* label = label_of_named(c, static_cast<int>(why.where));
      return text(" at named barrier ", why.where, label != nullptr ? text(" (", label->name, ")") : "", ": ",
                  b.arrived, " of ", plural(b.expected, "thread"), " are there; ", b.expected - b.arrived,
                  " more would release it", describe_missing(missing, names));
    }
    case waiting_for::cluster_barrier: {
      const auto there = static_cast<int>(c.all->barrier.waiters.size());
      return text(" at cluster_sync: ", there, " of ", plural(c.all->running, "running thread"), " are there; ",
                  c.all->running - there, " more would release it");
    }
    case waiting_for::wgmma:
      return text(" for wgmma group ", why.where, ", which not all threads of the warpgroup have issued and committed",
                  describe_missing(missing, names));
    case waiting_for::bulk_reads:
    case waiting_for::bulk_writes:
      return text(" for bulk store group ", why.where);
    case waiting_for::lanes:
      return text(" in ", name(static_cast<warp_instruction>(why.where)), " for the other lanes of its warp",
                  describe_missing(missing, names));
    case waiting_for::registers:
      return text(" for setmaxnreg.inc to ", why.where, " registers per thread: its warp needs ",
                  32 * (static_cast<int>(why.where) - t.own_warp().registers), " more, the CTA's pool has ",
                  c.free_registers, " free");
  }
  return "";
}

/// "\n  cycle: X waits for Y to ...; Y waits for X to ...", or "".
std::string describe_cycle(const party_names& names) {
  const std::vector<std::size_t> cycle = find_cycle(names.all);
  std::string line;
  for (std::size_t i = 0; i < cycle.size(); ++i) {
    const party& waiting = names.all[cycle[i]];
    const std::string awaited = cycle.size() == 1 ? "itself" : names.of(names.all[cycle[(i + 1) % cycle.size()]]);
    line += text(i == 0 ? "\n  cycle: " : "; ", names.of(waiting), " waits for ", awaited, " to ",
                 lack_of(waiting.thread()).what);
  }
  return line;
}

/// Who waits for what nobody is left to do, or everybody has done.
std::string describe_hopeless(const party_names& names) {
  std::string lines;
  for (const party& p : names.all) {
    if (p.exited) continue;
    const lack missing = lack_of(p.thread());
    const auto gone = std::find_if(missing.of.begin(), missing.of.end(),
                                   [](const cuda_thread* t) { return t->execution.finished(); });
    if (gone != missing.of.end()) {
      lines += text("\n  no cycle: ", names.of(p), " waits for ", names.with(**gone), " to ", missing.what);
    } else if (missing.of.empty() && missing.all_known) {
      lines += text("\n  no cycle: ", names.of(p), " waits for somebody to ", missing.what,
                    ", and all who do so have: more is expected than comes");
    }
  }
  return lines;
}

/// Whether both wait for the very same thing.
bool wait_together(const party& x, const party& y) {
  const wait_reason& why = x.thread().waiting;
  return why == y.thread().waiting && (x.block == y.block || why.what == waiting_for::cluster_barrier);
}

/// A line for each thing that is waited for, with all who do.
std::string describe_waits(const party_names& names) {
  std::string lines;
  std::vector<bool> told(names.all.size());
  for (std::size_t i = 0; i < names.all.size(); ++i) {
    const party& first = names.all[i];
    if (first.exited || told[i]) continue;
    std::vector<const party*> together;
    for (std::size_t j = i; j < names.all.size(); ++j) {
      if (names.all[j].exited || !wait_together(first, names.all[j])) continue;
      together.push_back(&names.all[j]);
      told[j] = true;
    }
    lines += text("\n  ", listed(together, [&](const party* p) { return names.of(*p); }),
                  together.size() == 1 ? ": waits" : ": wait", describe_wait(first.thread(), names));
  }
  return lines;
}

}  // namespace

std::string describe_deadlock(const cluster& c) {
  const party_names names{parties_of(c)};
  const std::string cycle = describe_cycle(names);
  return text("deadlock in cluster ", c.index, ": no thread can go on",
              cycle.empty() ? describe_hopeless(names) : cycle, describe_waits(names));
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
