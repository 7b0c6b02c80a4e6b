#include <sectile/dsl/model/cluster.hpp>
#include <sectile/dsl/model/names.hpp>

namespace sectile::model {
namespace {

const char* role_of(const cta& c, int thread) {
  for (const role_label& l : c.all->what.how.role_labels) {
    if (l.first_thread <= thread && thread <= l.last_thread) return l.role;
  }
  return nullptr;
}

/// "cta 1, " where there is more than one.
std::string place(const cta& c) { return c.all->ctas.size() > 1 ? text("cta ", c.rank, ", ") : ""; }

std::string hexadecimal(std::uint32_t x) {
  std::ostringstream s;
  s << "0x" << std::hex << x;
  return s.str();
}

std::string with_stage(const char* what, int stage) { return stage < 0 ? what : text(what, "[", stage, "]"); }

}  // namespace

std::string name_threads(const cta& c, int first, int last) {
  const char* role = role_of(c, first);
  const std::string which = first == last ? text("thread ", first) : text("threads ", first, "-", last);
  return role != nullptr ? text(role, " (", place(c), which, ")") : text(place(c), which);
}

std::string name(const cuda_thread& t) { return name_threads(*t.block, t.index, t.index); }

std::string name(const warpgroup& g) {
  const int first = static_cast<int>(&g - g.home->warpgroups.data()) * 128;
  return name_threads(*g.home, first, first + 127);
}

std::string name_barrier(const cta& c, std::uint32_t address) {
  const std::string where = c.all->ctas.size() > 1 ? text(" of cta ", c.rank) : "";
  for (const barrier_label& l : c.all->what.how.barrier_labels) {
    if (shared_window_base + l.offset == within_window(address)) return with_stage(l.name, l.stage) + where;
  }
  return text("mbarrier at ", hexadecimal(address), where);
}

std::string name(const mbarrier& b) { return name_barrier(*b.home, b.address); }

std::string name_bytes(const cta& c, std::uint32_t address) {
  const std::string where =
      text("byte ", hexadecimal(address), " of shared memory", c.all->ctas.size() > 1 ? text(" of cta ", c.rank) : "");
  for (const shared_label& l : c.all->what.how.shared_labels) {
    if (shared_window_base + l.begin <= within_window(address) && within_window(address) < shared_window_base + l.end) {
      const std::string stage = l.stage < 0 ? "" : text(" stage ", l.stage);
      return text(l.operand, stage, " (", where, ")");
    }
  }
  return where;
}

}  // namespace sectile::model
