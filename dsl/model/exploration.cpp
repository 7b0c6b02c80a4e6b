// Breadth first: the default schedule, then those that depart from it once, and so on. A run notes between how many
// ways it chose at each decision; its children take one departure more, behind its last one.
#include <algorithm>
#include <sectile/dsl/model/cluster.hpp>
#include <sectile/dsl/model/exploration.hpp>
#include <sectile/dsl/model/job_list.hpp>
#include <sectile/dsl/model/names.hpp>
#include <stdexcept>

namespace sectile::model {
namespace {

/// One run, and what it could have done instead.
struct attempt {
  std::vector<departure> departures{};
  std::vector<std::uint16_t> choices{};
};

std::string how_to_repeat(const recorded_schedule& s) { return text("systematic; --replay ", spell(s), " repeats it"); }

/// Names the children of a level's runs, one after the other.
struct children_of {
  explicit children_of(const std::deque<attempt>& level) : parents(level) {}

  std::optional<std::vector<departure>> next() {
    for (; parent < parents.size(); ++parent, started = false) {
      const attempt& p = parents[parent];
      if (!started) {
        at = {p.departures.empty() ? 0 : p.departures.back().decision + 1, 0};
        started = true;
      }
      for (; at.decision < p.choices.size(); ++at.decision, at.choice = 0) {
        if (++at.choice >= p.choices[at.decision]) continue;
        std::vector<departure> child = p.departures;
        child.push_back(at);
        return child;
      }
    }
    return std::nullopt;
  }

  const std::deque<attempt>& parents;
  std::size_t parent = 0;
  bool started = false;
  departure at{};
};

struct exploration {
  const launch& what;
  int index, workers;
  long run = 0;
  int all_to = -1;    // preemptions: every schedule with at most so many has been run
  bool left = false;  // schedules of the level at hand

  void go() {
    std::deque<attempt> level;
    for (int bound = 0; bound <= what.how.preemptions && !left; ++bound) {
      std::deque<attempt> children;
      run_level(level, children, bound < what.how.preemptions);
      level = std::move(children);
      if (!left) all_to = bound;
    }
  }

 private:
  /// Runs the children of `parents`, or the default schedule if there are none. They are noted in `done` if they may
  /// have children.
  void run_level(const std::deque<attempt>& parents, std::deque<attempt>& done, bool note) {
    children_of children(parents);
    job_list<attempt*> schedules;
    schedules.next = [&]() -> std::optional<attempt*> {
      auto departures = parents.empty() && run == 0 ? std::vector<departure>{} : children.next();
      if (!departures) return std::nullopt;
      if (run == what.how.max_schedules) {
        left = true;
        return std::nullopt;
      }
      ++run;
      return &done.emplace_back(attempt{*std::move(departures)});
    };
    schedules.run = [&](attempt* a, stack_pool& stacks) {
      systematic_turns order(a->departures);
      // The default schedule leaves its results; the others would leave the same.
      run_cluster(what, index, stacks, order, how_to_repeat({index, a->departures}), a->departures.empty());
      if (note) a->choices = order.choices();
    };
    schedules.work(workers);
  }
};

}  // namespace

void explore(const launch& what, int workers) {
  if (what.how.max_schedules < 1 || what.how.preemptions < 0)
    throw std::invalid_argument(text("systematic: at most ", what.how.max_schedules, " schedules with at most ",
                                     what.how.preemptions, " preemptions are none at all; run 1 with 0 or more"));
  schedule_count total{.clusters = what.shape.clusters, .bound = what.how.preemptions, .all_to = what.how.preemptions};
  const auto explore_cluster = [&](int i) {
    exploration one{what, i, workers};
    const auto note = [&] {
      total.run += one.run;
      total.all_to = std::min(total.all_to, one.all_to);
      if (what.how.explored != nullptr) *what.how.explored = total;
    };
    try {
      one.go();
    } catch (...) {
      note();
      throw;
    }
    note();
  };
  for (int i = 0; i < what.shape.clusters; ++i) {
    explore_cluster(i);
    if (what.how.progress != nullptr) ++*what.how.progress;
  }
}

void replay(const launch& what, const recorded_schedule& schedule) {
  if (schedule.cluster >= what.shape.clusters) {
    throw std::invalid_argument(text("schedule ", spell(schedule), " is of cluster ", schedule.cluster,
                                     "; the launch has ", what.shape.clusters));
  }
  stack_pool stacks;
  const int tiles = clusters_of_a_part(what.shape);
  for (int i = schedule.cluster % tiles; i < schedule.cluster; i += tiles) {  // what it finds in the workspace
    systematic_turns before({});
    run_cluster(what, i, stacks, before, how_to_repeat({i, {}}), true);
  }
  systematic_turns order(schedule.departures);
  run_cluster(what, schedule.cluster, stacks, order, how_to_repeat(schedule), true);
  if (order.departed()) return;
  throw std::invalid_argument(text("schedule ", spell(schedule), ": the run ended after ", order.choices().size(),
                                   " decisions, before the last departure: it belongs to another kernel or problem"));
}

}  // namespace sectile::model
