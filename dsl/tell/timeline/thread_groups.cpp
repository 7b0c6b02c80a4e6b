// In each warpgroup the thread with the most verbs leads. Others belong to it unless they wait for an mbarrier that it
// never waits for: then they have a lane of their own.
#include <algorithm>
#include <map>
#include <sectile/dsl/plan/plan.hpp>
#include <sectile/dsl/tell/timeline/thread_groups.hpp>
#include <sectile/layouts/banks.hpp>
#include <set>
#include <utility>

namespace sectile::tell {
namespace {

using model::verb;
using model::verb_record;

struct thread_verbs {
  int cta = 0, thread = 0;
  std::vector<const verb_record*> all{};
  std::set<std::uint32_t> waits_for{};  // addresses of mbarriers

  bool is_idle() const {
    return std::ranges::all_of(all, [](const verb_record* r) {
      return r->what == verb::cluster_sync || r->what == verb::griddepcontrol_wait || r->what == verb::set_registers ||
             r->what == verb::mbarrier_init;
    });
  }
};

/// Common verbs are those that all threads of a group come to: collective ones, and waits for mbarriers.
bool is_common(const verb_record& r) { return model::is_collective(r.what) || r.what == verb::mbarrier_wait; }

/// Where in the leader's list its common verbs are.
struct landmarks {
  explicit landmarks(const thread_verbs& leader) {
    for (int i = 0; i < static_cast<int>(leader.all.size()); ++i) {
      const verb_record& r = *leader.all[static_cast<std::size_t>(i)];
      if (model::is_collective(r.what)) collective[r.step] = i;
      if (r.what == verb::mbarrier_wait) wait[r.barrier].push_back(i);
    }
  }
  /// Place of the last collective verb among the first `steps`, or -1.
  int behind_step(std::uint32_t steps) const {
    const auto it = collective.lower_bound(steps);
    return it == collective.begin() ? -1 : std::prev(it)->second;
  }
  /// Place of wait number `n` for that barrier, or -1.
  int behind_wait(std::uint32_t barrier, std::size_t n) const {
    const auto it = wait.find(barrier);
    return it == wait.end() || n >= it->second.size() ? -1 : it->second[n];
  }

  std::map<std::uint32_t, int> collective;
  std::map<std::uint32_t, std::vector<int>> wait;
};

/// What a thread did on its own, each with the place in the leader's list that it stands behind.
std::vector<std::pair<int, const verb_record*>> own_verbs(const thread_verbs& t, const landmarks& leader) {
  std::vector<std::pair<int, const verb_record*>> own;
  std::map<std::uint32_t, std::size_t> waits;
  int behind = -1;
  for (const verb_record* r : t.all) {
    behind = std::max(behind, leader.behind_step(r->step));
    if (r->what == verb::mbarrier_wait)
      behind = std::max(behind, leader.behind_wait(r->barrier, waits[r->barrier]++));
    else if (!is_common(*r) && r->what != verb::tile_stored)
      own.emplace_back(behind, r);
  }
  return own;
}

thread_group merge(const thread_verbs& leader, const std::vector<const thread_verbs*>& members) {
  thread_group g{.cta = leader.cta, .first_thread = leader.thread, .last_thread = leader.thread};
  const landmarks marks(leader);
  std::vector<std::pair<int, const verb_record*>> inserted;
  std::set<int> warps{leader.thread / warp_lanes};
  for (const thread_verbs* t : members) {
    g.first_thread = std::min(g.first_thread, t->thread);
    g.last_thread = std::max(g.last_thread, t->thread);
    warps.insert(t->thread / warp_lanes);
    for (const auto& own : own_verbs(*t, marks)) inserted.push_back(own);
  }
  g.warps = static_cast<int>(warps.size());
  std::ranges::stable_sort(inserted, {}, &std::pair<int, const verb_record*>::first);
  auto next = inserted.begin();
  const auto insert_behind = [&](int place) {
    for (; next != inserted.end() && next->first <= place; ++next) g.verbs.push_back(next->second);
  };
  insert_behind(-1);
  for (int i = 0; i < static_cast<int>(leader.all.size()); ++i) {
    g.verbs.push_back(leader.all[static_cast<std::size_t>(i)]);
    insert_behind(i);
  }
  return g;
}

/// Splits the threads of a warpgroup.
void add_groups(std::vector<const thread_verbs*> threads, std::vector<thread_group>& all) {
  while (!threads.empty()) {
    const thread_verbs* const leader =
        *std::ranges::max_element(threads, {}, [](const thread_verbs* t) { return t->all.size(); });
    const auto follows = [leader](const thread_verbs* t) {
      return std::ranges::includes(leader->waits_for, t->waits_for);
    };
    std::vector<const thread_verbs*> members;
    for (const thread_verbs* t : threads)
      if (t != leader && follows(t)) members.push_back(t);
    all.push_back(merge(*leader, members));
    std::erase_if(threads, follows);
  }
}

}  // namespace

std::vector<thread_group> group_threads(const model::verb_log& log) {
  std::map<std::pair<int, int>, thread_verbs> by_thread;
  for (const verb_record& r : log.records) {
    thread_verbs& t = by_thread[{r.cta, r.thread}];
    t.cta = r.cta;
    t.thread = r.thread;
    t.all.push_back(&r);
    if (r.what == verb::mbarrier_wait) t.waits_for.insert(r.barrier);
  }
  std::map<std::pair<int, int>, std::vector<const thread_verbs*>> by_warpgroup;
  for (const auto& [place, t] : by_thread)
    if (!t.is_idle()) by_warpgroup[{t.cta, t.thread / warpgroup}].push_back(&t);
  std::vector<thread_group> all;
  for (const auto& [place, threads] : by_warpgroup) add_groups(threads, all);
  std::ranges::stable_sort(all, {}, [](const thread_group& g) { return std::pair(g.cta, g.first_thread); });
  return all;
}

}  // namespace sectile::tell
