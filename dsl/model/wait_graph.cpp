#include <algorithm>
#include <sectile/dsl/model/cluster.hpp>
#include <sectile/dsl/model/names.hpp>
#include <sectile/dsl/model/wait_graph.hpp>

namespace sectile::model {
namespace {

using threads = std::vector<const cuda_thread*>;

bool alike(const cuda_thread& x, const cuda_thread& y) {
  if (role_of(*x.block, x.index) != role_of(*y.block, y.index)) return false;
  if (x.execution.finished() || y.execution.finished()) return x.execution.finished() == y.execution.finished();
  return x.waiting == y.waiting && x.trips.now == y.trips.now;
}

bool same_role(const cuda_thread& x, const cuda_thread& y) {
  if (x.block != y.block) return false;
  const role_label* role = role_of(*x.block, x.index);
  return role != nullptr ? role == role_of(*y.block, y.index) : x.index == y.index;
}

bool has_role_of(const threads& all, const cuda_thread& t) {
  return std::any_of(all.begin(), all.end(), [&](const cuda_thread* other) { return same_role(*other, t); });
}

threads who(const std::vector<mbarrier::actor>& actors) {
  threads found;
  for (const mbarrier::actor& a : actors) found.push_back(a.thread);
  return found;
}

void add_roles(threads& to, const threads& more) {
  for (const cuda_thread* t : more) {
    if (!has_role_of(to, *t)) to.push_back(t);
  }
}

/// The first thread of every role of that name, in the CTAs that `from` names for `home`.
threads with_role(const cta& home, const char* role, const sender_masks& from) {
  threads found;
  if (role == nullptr) return found;
  const auto rank = static_cast<std::size_t>(home.rank);
  const unsigned mask = from[rank] != 0 ? from[rank] : 1u << rank;
  for (const auto& block : home.all->ctas) {
    if ((mask >> block->rank & 1) == 0) continue;
    for (const role_label& l : home.all->what.how.labels.roles) {
      if (std::string_view(l.role) == role)
        found.push_back(block->threads[static_cast<std::size_t>(l.first_thread)].get());
    }
  }
  return found;
}

/// Those of `expected` whose role is not among the `present`.
threads missing(const threads& expected, const threads& present) {
  threads found;
  for (const cuda_thread* t : expected) {
    if (!has_role_of(present, *t)) found.push_back(t);
  }
  return found;
}

/// Copies of the phase before that nothing in the open phase repeats.
std::vector<const mbarrier::copy*> not_repeated(const mbarrier& b) {
  std::vector<const mbarrier::copy*> found;
  for (const mbarrier::copy& before : b.loads) {
    if (before.phase + 1 != b.phase) continue;
    const bool repeated = std::any_of(b.loads.begin(), b.loads.end(), [&](const mbarrier::copy& now) {
      return now.phase == b.phase && now.to == before.to && now.by.thread == before.by.thread;
    });
    if (!repeated) found.push_back(&before);
  }
  return found;
}

lack lack_of_phase(const mbarrier& b) {
  const barrier_label* l = label_of(b);
  lack found;
  found.what = l != nullptr && l->duty != nullptr ? text(l->duty, " stage ", l->stage, " of ", l->operands)
                                                  : text("arrive at ", name(b));
  found.all_known = l != nullptr && l->arriving != nullptr;
  if (b.pending > 0) {
    threads expected = who(b.arrived_before);
    if (l != nullptr) add_roles(expected, with_role(*b.home, l->arriving, l->arrivals_from));
    if (l != nullptr) add_roles(expected, with_role(*b.home, l->arriving_too, l->arrivals_too));
    add_roles(found.of, missing(expected, who(b.arrived)));
  }
  if (b.transactions > 0) {
    found.not_issued = not_repeated(b);
    for (const mbarrier::copy* load : found.not_issued) add_roles(found.of, {load->by.thread});
    threads sent;
    for (const mbarrier::copy& load : b.loads) {
      if (load.phase == b.phase) sent.push_back(load.by.thread);
    }
    if (l != nullptr) add_roles(found.of, missing(with_role(*b.home, l->loading, l->loads_from), sent));
  }
  return found;
}

lack lack_of_named(const cta& c, int id) {
  const named_barrier& b = c.named[id];
  lack found{.what = text("come to named barrier ", id)};
  threads expected = b.came_before;
  if (const named_barrier_label* l = label_of_named(c, id)) {
    found.what = text("come to ", l->name);
    found.all_known = true;
    for (const auto& [first, last] : l->threads) expected.push_back(c.threads[static_cast<std::size_t>(first)].get());
  }
  for (const cuda_thread* t : expected) {
    const bool is_there = has_role_of(b.came, *t);
    if (!is_there && !has_role_of(found.of, *t)) found.of.push_back(t);
  }
  return found;
}

/// Threads `first` and up, `count` of them, that have not come as far as t has.
template <class Steps>
threads behind(const cuda_thread& t, int count, Steps steps) {
  threads found;
  const auto first = static_cast<std::size_t>(t.index / count * count);
  for (std::size_t i = first; i < first + static_cast<std::size_t>(count) && i < t.block->threads.size(); ++i) {
    const cuda_thread& other = *t.block->threads[i];
    if (steps(other) < steps(t)) found.push_back(&other);
  }
  return found;
}

/// Where a search for a cycle stands.
struct search {
  const std::vector<party>& all;
  enum class mark : char { fresh, open, closed };
  std::vector<mark> marks = std::vector<mark>(all.size(), mark::fresh);
  std::vector<std::size_t> path{};

  /// Whether a cycle was found; then it is the path.
  bool visit(std::size_t i) {
    if (marks[i] == mark::open) {
      path.erase(path.begin(), std::find(path.begin(), path.end(), i));
      return true;
    }
    if (marks[i] == mark::closed || all[i].exited) return false;
    marks[i] = mark::open;
    path.push_back(i);
    for (const cuda_thread* t : lack_of(all[i].thread()).of) {
      if (visit(party_with(all, *t))) return true;
    }
    path.pop_back();
    marks[i] = mark::closed;
    return false;
  }
};

}  // namespace

const cuda_thread& party::thread() const { return *block->threads[static_cast<std::size_t>(first)]; }

std::vector<party> parties_of(const cluster& c) {
  std::vector<party> found;
  for (const auto& block : c.ctas) {
    for (const auto& t : block->threads) {
      const bool joins = !found.empty() && found.back().block == block.get() && alike(found.back().thread(), *t);
      if (!joins) found.push_back({block.get(), t->index, t->index, t->execution.finished()});
      found.back().last = t->index;
    }
  }
  return found;
}

std::size_t party_with(const std::vector<party>& all, const cuda_thread& t) {
  const auto at = std::find_if(all.begin(), all.end(), [&](const party& p) {
    return p.block == t.block && p.first <= t.index && t.index <= p.last;
  });
  return static_cast<std::size_t>(at - all.begin());
}

lack lack_of(const cuda_thread& t) {
  const cta& c = *t.block;
  switch (t.waiting.what) {
    case waiting_for::mbarrier:
      return lack_of_phase(c.barriers[static_cast<std::size_t>(c.memory.barrier_index(t.waiting.where))]);
    case waiting_for::named_barrier:
      return lack_of_named(c, static_cast<int>(t.waiting.where));
    case waiting_for::cluster_barrier: {
      lack found{.what = "come to cluster_sync"};
      for (const auto& block : c.all->ctas) {
        for (const auto& other : block->threads) {
          const bool is_there = other->waiting.what == waiting_for::cluster_barrier || other->execution.finished();
          if (!is_there && !has_role_of(found.of, *other)) found.of.push_back(other.get());
        }
      }
      return found;
    }
    case waiting_for::wgmma:
      return {"issue and commit the wgmma group",
              behind(t, 128, [](const cuda_thread& x) { return x.warpgroup_steps; })};
    case waiting_for::lanes:
      return {"come to the same instruction", behind(t, 32, [](const cuda_thread& x) { return x.warp_steps; })};
    default:
      return {};
  }
}

std::vector<std::size_t> find_cycle(const std::vector<party>& all) {
  search s{all};
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (s.visit(i)) return s.path;
  }
  return {};
}

}  // namespace sectile::model
