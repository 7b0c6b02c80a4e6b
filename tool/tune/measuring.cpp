#include "tool/tune/measuring.hpp"

#include <algorithm>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>

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

/// The times that `known` has of members by their names.
std::vector<std::optional<double>> times_by_name(const timed_problem& known, const std::vector<std::string>& earlier,
                                                 const std::vector<std::string>& now) {
  std::vector<std::optional<double>> us;
  for (const std::string& name : now) {
    const auto at = std::ranges::find(earlier, name);
    us.push_back(at == earlier.end() ? std::nullopt : known.us[static_cast<std::size_t>(at - earlier.begin())]);
  }
  return us;
}

/// Fills in the times that are known and leaves in `members` those that have none. Behind these comes the fastest of
/// the others, for its time now; returns that time then. Nothing where there is none: then all are measured.
std::optional<double> carry_over(std::vector<std::optional<double>> known, timed_problem& to,
                                 std::vector<int>& members) {
  to.us = std::move(known);
  int fastest = -1;
  for (std::size_t i = 0; i < to.us.size(); ++i)
    if (to.us[i] && (fastest < 0 || *to.us[i] < *to.us[static_cast<std::size_t>(fastest)]))
      fastest = static_cast<int>(i);
  if (fastest < 0) return {};
  std::erase_if(members, [&](int m) { return to.us[static_cast<std::size_t>(m)].has_value(); });
  members.push_back(fastest);
  return to.us[static_cast<std::size_t>(fastest)];
}

}  // namespace

tuning_table taken_over(const shipped_family& family, const tuning_table& earlier) {
  tuning_table now{.head = table_head_of(family, earlier.head.gpu, earlier.head.software)};
  now.head.date = earlier.head.date;
  for (const timed_problem& p : earlier.problems)
    now.problems.push_back({p.sizes, times_by_name(p, earlier.head.members, now.head.members)});
  return now;
}

bool measure_problems(const shipped_family& family, std::span<const problem_size> wanted, const gpu_constants& gpu,
                      tuning_table& table, const tuning_world& world, const tuning_table* earlier) {
  for (const problem_size& sizes : problems_left(table, wanted)) {
    if (world.interrupted()) return false;
    std::vector<int> members = members_to_measure(*family.facts, sizes, gpu);
    timed_problem p{sizes, std::vector<std::optional<double>>(static_cast<std::size_t>(family.facts->count))};
    std::optional<double> then;
    if (const timed_problem* known = earlier ? earlier->find(sizes) : nullptr)
      then = carry_over(times_by_name(*known, earlier->head.members, table.head.members), p, members);
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
