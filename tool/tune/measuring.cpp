#include "tool/tune/measuring.hpp"

#include <algorithm>
#include <optional>
#include <stdexcept>
#include <string>

namespace sectile::tool {

std::vector<int> members_to_measure(const family_facts& family, const problem_size& sizes, const gpu_constants& gpu) {
  const predictor predicted(*family.operands, sizes, gpu);
  std::vector<double> times;
  for (int i = 0; i < family.count; ++i) times.push_back(predicted.microseconds(family.members[i]));
  const double least = *std::ranges::min_element(times);
  std::vector<int> all;
  for (int i = 0; i < family.count; ++i)
    if (times[static_cast<std::size_t>(i)] <= worth_measuring * least) all.push_back(i);
  return all;
}

std::vector<problem_size> problems_left(const tuning_table& table, std::span<const problem_size> wanted) {
  std::vector<problem_size> left;
  for (const problem_size& sizes : wanted)
    if (!table.find(sizes)) left.push_back(sizes);
  return left;
}

namespace {

/// Fills in the times that `known` has of members by their names, and leaves in `members` those that it does not name.
/// Behind these comes the fastest of the others, for its time now; returns that time then. Nothing where there is none:
/// then all are measured.
std::optional<double> carry_over(const timed_problem& known, const std::vector<std::string>& earlier,
                                 const std::vector<std::string>& now, timed_problem& to, std::vector<int>& members) {
  int fastest = -1;
  std::vector<int> unnamed = members;
  for (std::size_t i = 0; i < now.size(); ++i) {
    const auto at = std::ranges::find(earlier, now[i]);
    if (at == earlier.end()) continue;
    std::erase(unnamed, static_cast<int>(i));
    to.us[i] = known.us[static_cast<std::size_t>(at - earlier.begin())];
    if (to.us[i] && (fastest < 0 || *to.us[i] < *to.us[static_cast<std::size_t>(fastest)]))
      fastest = static_cast<int>(i);
  }
  if (fastest < 0) return {};
  members = unnamed;
  members.push_back(fastest);
  return to.us[static_cast<std::size_t>(fastest)];
}

}  // namespace

bool measure_problems(const shipped_family& family, std::span<const problem_size> wanted, const gpu_constants& gpu,
                      tuning_table& table, const tuning_world& world, const tuning_table* earlier) {
  for (const problem_size& sizes : problems_left(table, wanted)) {
    if (world.interrupted()) return false;
    std::vector<int> members = members_to_measure(*family.facts, sizes, gpu);
    timed_problem p{sizes, std::vector<std::optional<double>>(static_cast<std::size_t>(family.facts->count))};
    std::optional<double> then;
    if (const timed_problem* known = earlier ? earlier->find(sizes) : nullptr)
      then = carry_over(*known, earlier->head.members, table.head.members, p, members);
    if (!then || members.size() > 1) {
      const std::vector<double> times = world.measure(sizes, members);
      if (times.size() != members.size()) throw std::logic_error("every member that is measured has a time");
      for (std::size_t i = 0; i < members.size(); ++i)
        p.us[static_cast<std::size_t>(members[i])] = then ? times[i] * (*then / times.back()) : times[i];
    }
    table.problems.push_back(p);
    world.save(table);
    world.done();
  }
  return true;
}

}  // namespace sectile::tool
