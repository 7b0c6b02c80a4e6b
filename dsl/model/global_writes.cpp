#include <algorithm>
#include <sectile/dsl/model/cluster.hpp>
#include <sectile/dsl/model/global_writes.hpp>
#include <sectile/dsl/model/names.hpp>
#include <tuple>

namespace sectile::model {
namespace {

/// "element (3, 64) of C", outermost mode first, or "" where no tensor is known that holds the byte.
std::string name_element(const label_set& labels, const std::byte* at) {
  for (const tensor_label& l : labels.tensors) {
    std::int64_t offset = at - l.map.base;
    if (offset < 0) continue;
    std::int64_t index[5] = {};
    bool inside = true;
    for (int d = l.map.rank - 1; d >= 0; --d) {
      index[d] = offset / l.map.stride_bytes[d];
      offset %= l.map.stride_bytes[d];
      inside = inside && index[d] < l.map.extent[d];
    }
    if (!inside) continue;
    std::string coordinates = text(index[l.map.rank - 1]);
    for (int d = l.map.rank - 2; d >= 0; --d) coordinates += text(", ", index[d]);
    return text("element (", coordinates, ") of ", l.name);
  }
  return text("byte ", static_cast<const void*>(at), " of host memory");
}

std::string name_writer(const launch& what, const global_write& w) {
  const bool several = what.shape.cluster_size > 1;
  const std::string place = text("cluster ", w.cluster, several ? text(", cta ", w.cta_rank) : "", ", ");
  return name_threads(what.how.labels, place, w.thread, w.thread, name_trip(w.trip));
}

auto order(const global_write& w) { return std::tuple(w.begin, w.cluster, w.cta_rank, w.thread, w.end, w.trip); }

}  // namespace

void global_writes::add(const cuda_thread& t, int trip, const void* to, std::size_t bytes) {
  const auto* const begin = static_cast<const std::byte*>(to);
  const global_write mine{begin, begin + bytes, t.all->index, t.block->rank, t.index, trip};
  if (!all_.empty()) {
    global_write& last = all_.back();
    const bool goes_on =
        last.end == begin && last.thread == mine.thread && last.cta_rank == mine.cta_rank && last.trip == trip;
    if (goes_on) {
      last.end = mine.end;
      return;
    }
  }
  all_.push_back(mine);
}

void global_writes::take(global_writes&& more) {
  const std::lock_guard lock(mutex_);
  all_.insert(all_.end(), more.all_.begin(), more.all_.end());
}

void global_writes::check(const launch& what) {
  std::sort(all_.begin(), all_.end(), [](const auto& x, const auto& y) { return order(x) < order(y); });
  const auto meet = [](const global_write& x, const global_write& y) { return y.begin < x.end; };
  const auto first = std::adjacent_find(all_.begin(), all_.end(), meet);
  if (first == all_.end()) return;
  report(hazard_kind::written_twice,
         text(name_writer(what, first[0]), " and ", name_writer(what, first[1]), " both write ",
              name_element(what.how.labels, first[1].begin), ": nothing says whose value stays\n  schedule: any"));
}

}  // namespace sectile::model
