#include <algorithm>
#include <sectile/dsl/model/cluster.hpp>
#include <sectile/dsl/model/happens_before.hpp>

namespace sectile::model {
namespace {

void raise(std::vector<std::uint32_t>& counts, const std::vector<std::uint32_t>& other) {
  if (counts.size() < other.size()) counts.resize(other.size());
  for (std::size_t i = 0; i < other.size(); ++i) counts[i] = std::max(counts[i], other[i]);
}

knowledge make_knowledge(std::vector<std::uint32_t> counts) {
  auto* made = new snapshot;
  made->counts = std::move(counts);
  return knowledge(made);
}

}  // namespace

knowledge knowledge_of(event e) {
  std::vector<std::uint32_t> counts(e.by + 1);
  counts[e.by] = e.at;
  return make_knowledge(std::move(counts));
}

bool comes_before(const cuda_thread& t, const deed& d) { return d.by == &t || knows(t.clock.seen, d.at); }

void gathering::add(const knowledge& k) {
  if (!k || k == last_) return;
  raise(counts_, k->counts);
  last_ = k;
}

void gathering::add(event e) {
  if (counts_.size() <= e.by) counts_.resize(e.by + 1);
  counts_[e.by] = std::max(counts_[e.by], e.at);
}

knowledge gathering::freeze() const { return make_knowledge(counts_); }

void gathering::clear() {
  counts_.clear();
  last_.reset();
}

knowledge join_memory::join(const knowledge& a, const knowledge& b) {
  if (!b || a == b) return a;
  if (!a) return b;
  const auto key = reinterpret_cast<std::uintptr_t>(a.get()) * 31 + reinterpret_cast<std::uintptr_t>(b.get());
  remembered& slot = recent_[(key >> 4) % recent_.size()];
  if (slot.a == a && slot.b == b) return slot.result;

  std::vector<std::uint32_t> counts = a->counts;
  raise(counts, b->counts);
  knowledge result = counts == a->counts ? a : counts == b->counts ? b : make_knowledge(std::move(counts));
  slot = {a, b, result};
  return result;
}

}  // namespace sectile::model
