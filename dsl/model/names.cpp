#include <sectile/dsl/model/cluster.hpp>
#include <sectile/dsl/model/names.hpp>

namespace sectile::model {
namespace {

/// "cta 1, " where there is more than one.
std::string place(const cta& c) { return c.all->ctas.size() > 1 ? text("cta ", c.rank, ", ") : ""; }

std::string hexadecimal(std::uint32_t x) {
  std::ostringstream s;
  s << "0x" << std::hex << x;
  return s.str();
}

std::string with_stage(const char* what, int stage) { return stage < 0 ? what : text(what, "[", stage, "]"); }

}  // namespace

const role_label* role_of(const label_set& labels, int thread) {
  for (const role_label& l : labels.roles) {
    if (l.first_thread <= thread && thread <= l.last_thread) return &l;
  }
  return nullptr;
}
const role_label* role_of(const cta& c, int thread) { return role_of(c.all->what.how.labels, thread); }

std::string role_name(const label_set& labels, int thread) {
  const role_label* role = role_of(labels, thread);
  if (role == nullptr) return "";
  return role->number < 0 ? role->role : text(role->role, " ", role->number);
}

std::string name_trip(int trip) {
  if (trip == unknown_trip) return "";
  return trip == outside_of_loops ? ", outside of loops" : text(", k = ", trip);
}

std::string name_threads(const label_set& labels, const std::string& place, int first, int last,
                         const std::string& more) {
  const std::string role = role_name(labels, first);
  const std::string which = (first == last ? text("thread ", first) : text("threads ", first, "-", last)) + more;
  return role.empty() ? place + which : text(role, " (", place, which, ")");
}

std::string name_threads(const cta& c, int first, int last, const std::string& more) {
  return name_threads(c.all->what.how.labels, place(c), first, last, more);
}

std::string name(const cuda_thread& t) { return name(t, t.trips.now); }
std::string name(const cuda_thread& t, int trip) { return name_threads(*t.block, t.index, t.index, name_trip(trip)); }

std::string name_at(const cuda_thread& t, event e) { return name(t, t.trips.at(e.at)); }

std::string name(const observer& who) {
  return who.alike == 128 ? name(who.thread->own_warpgroup(), who.trip) : name(*who.thread, who.trip);
}

namespace {

std::string name_warpgroup(const warpgroup& g, const std::string& more) {
  const int first = static_cast<int>(&g - g.home->warpgroups.data()) * 128;
  return name_threads(*g.home, first, first + 127, more);
}

}  // namespace

std::string name(const warpgroup& g, int trip) { return name_warpgroup(g, name_trip(trip)); }

std::string name_wgmma(const warpgroup& g, std::uint32_t group) {
  return text("a wgmma of ", name_warpgroup(g, text(name_trip(g.trip_of(group)), ", group ", group)));
}

const barrier_label* label_of(const mbarrier& b) {
  for (const barrier_label& l : b.home->all->what.how.labels.barriers) {
    if (shared_window_base + l.offset == within_window(b.address)) return &l;
  }
  return nullptr;
}

const named_barrier_label* label_of_named(const cta& c, int id) {
  for (const named_barrier_label& l : c.all->what.how.labels.named) {
    if (l.id == id) return &l;
  }
  return nullptr;
}

std::string name_barrier(const cta& c, std::uint32_t address) {
  const bool several = c.all->ctas.size() > 1;
  for (const barrier_label& l : c.all->what.how.labels.barriers) {
    if (shared_window_base + l.offset != within_window(address)) continue;
    const std::string barrier = with_stage(l.name, l.stage);
    if (l.operands.empty()) return several ? text(barrier, " of cta ", c.rank) : barrier;
    return text(barrier, " of ", l.operands, several ? text(" in cta ", c.rank) : "");
  }
  return text("mbarrier at ", hexadecimal(within_window(address)), several ? text(" of cta ", c.rank) : "");
}

std::string name(const mbarrier& b) { return name_barrier(*b.home, b.address); }

std::string name_part(const cta& c, std::uint32_t address) {
  const std::uint32_t at = within_window(address) - shared_window_base;
  for (const shared_label& l : c.all->what.how.labels.shared) {
    if (l.begin <= at && at < l.end) return l.stage < 0 ? l.operand : text(l.operand, " ", l.part, " ", l.stage);
  }
  return "";
}

std::string name_bytes(const cta& c, std::uint32_t address) {
  const std::string where = text("byte ", hexadecimal(within_window(address)), " of shared memory",
                                 c.all->ctas.size() > 1 ? text(" of cta ", c.rank) : "");
  const std::string part = name_part(c, address);
  return part.empty() ? where : text(part, " (", where, ")");
}

}  // namespace sectile::model
