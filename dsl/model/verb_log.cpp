#include <sectile/dsl/model/cluster.hpp>
#include <utility>

namespace sectile::model {
namespace {

thread_local verb_log* watched = nullptr;

}  // namespace

void verb_log::begin(const grid& run, const label_set& names) {
  shape = run;
  labels = names;
  records.clear();
  steps_.assign(static_cast<std::size_t>(run.cluster_size) * static_cast<std::size_t>(run.threads), 0);
}

void verb_log::add(verb_record r) {
  const auto thread =
      static_cast<std::size_t>(r.cta) * static_cast<std::size_t>(shape.threads) + static_cast<std::size_t>(r.thread);
  r.step = steps_[thread];
  if (is_collective(r.what)) ++steps_[thread];
  if (!is_collective(r.what) || r.thread % 32 == 0) records.push_back(r);
}

void note(cuda_thread& t, verb_record r) {
  if (t.all->log == nullptr) return;
  r.cta = t.block->rank;
  r.thread = t.index;
  r.trip = t.trips.now;
  r.address = within_window(r.address);
  r.barrier = within_window(r.barrier);
  r.before = std::exchange(t.executed, {});
  t.all->log->add(r);
}

watching::watching(verb_log& log) { watched = &log; }
watching::~watching() { watched = nullptr; }
verb_log* watching::current() { return watched; }

}  // namespace sectile::model
