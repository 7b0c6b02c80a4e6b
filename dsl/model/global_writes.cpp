#include <algorithm>
#include <sectile/dsl/model/cluster.hpp>
#include <sectile/dsl/model/coverage.hpp>
#include <sectile/dsl/model/global_writes.hpp>
#include <sectile/dsl/model/names.hpp>
#include <tuple>

namespace sectile::model {
namespace {

std::string name_writer(const launch& what, const global_write& w) {
  const bool several = what.shape.cluster_size > 1;
  const std::string place = text("cluster ", w.cluster, several ? text(", cta ", w.cta_rank) : "", ", ");
  return name_threads(what.how.labels, place, w.thread, w.thread, name_trip(w.trip));
}

auto order(const global_write& w) { return std::tuple(w.begin, w.cluster, w.cta_rank, w.thread, w.end, w.trip); }

}  // namespace

void global_writes::add(const cuda_thread& t, int trip, const void* to, std::size_t bytes, bool of_the_last_store) {
  const auto* const begin = static_cast<const std::byte*>(to);
  const global_write mine{begin, begin + bytes, t.all->index, t.block->rank, t.index, trip};
  const bool goes_on = of_the_last_store && !all_.empty() && all_.back().end == begin;
  if (goes_on)
    all_.back().end = mine.end;
  else
    all_.push_back(mine);
}

void global_writes::add_read(const cuda_thread& t, const void* from, std::size_t bytes) {
  const auto* const begin = static_cast<const std::byte*>(from);
  reads_.push_back({begin, begin + bytes, t.all->index, t.block->rank, t.index});
}

/// Within a CTA the tile that is stored has been loaded before; nothing orders it with what others do.
void global_writes::check_reads(const launch& what) const {
  for (const global_read& r : reads_) {
    auto w = std::partition_point(all_.begin(), all_.end(), [&](const global_write& x) { return x.end <= r.begin; });
    for (; w != all_.end() && w->begin < r.end; ++w) {
      if (w->cluster == r.cluster && w->cta_rank == r.cta_rank) continue;
      const global_write reader{r.begin, r.end, r.cluster, r.cta_rank, r.thread, outside_of_loops};
      report(hazard_kind::read_before_full,
             text(name_writer(what, *w), " writes ", name_element(what.how.labels, std::max(w->begin, r.begin)),
                  ", which ", name_writer(what, reader),
                  " loads as part of an input: nothing says what comes first\n  schedule: any"));
    }
  }
}

void global_writes::take(global_writes&& more) {
  std::vector<const std::byte*>& others = more.combined_;  // many a time the same
  std::sort(others.begin(), others.end());
  others.erase(std::unique(others.begin(), others.end()), others.end());
  const std::lock_guard lock(mutex_);
  all_.insert(all_.end(), more.all_.begin(), more.all_.end());
  reads_.insert(reads_.end(), more.reads_.begin(), more.reads_.end());
  combined_.insert(combined_.end(), others.begin(), others.end());
}

void global_writes::check(const launch& what) {
  std::sort(all_.begin(), all_.end(), [](const auto& x, const auto& y) { return order(x) < order(y); });
  const auto meet = [](const global_write& x, const global_write& y) { return y.begin < x.end; };
  const auto first = std::adjacent_find(all_.begin(), all_.end(), meet);
  if (first != all_.end())
    report(hazard_kind::written_twice,
           text(name_writer(what, first[0]), " and ", name_writer(what, first[1]), " both write ",
                name_element(what.how.labels, first[1].begin), ": nothing says whose value stays\n  schedule: any"));
  check_reads(what);
  if (!what.how.replay.empty()) return;  // one cluster of several
  for (const tensor_label& l : what.how.labels.tensors) {
    if (!l.covered || l.in_part) continue;
    coverage written(l);
    for (const global_write& w : all_) written.add(w.begin, static_cast<std::size_t>(w.end - w.begin));
    if (l.combined)
      for (const std::byte* const element : combined_) written.add_again(element);
    if (const std::string missing = written.missing(); !missing.empty())
      report(hazard_kind::never_written, text(missing, "\n  schedule: any"));
  }
}

}  // namespace sectile::model
