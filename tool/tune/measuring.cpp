#include "tool/tune/measuring.hpp"

#include <algorithm>
#include <stdexcept>

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

bool measure_problems(const shipped_family& family, std::span<const problem_size> wanted, const gpu_constants& gpu,
                      tuning_table& table, const tuning_world& world) {
  for (const problem_size& sizes : problems_left(table, wanted)) {
    if (world.interrupted()) return false;
    const std::vector<int> members = members_to_measure(*family.facts, sizes, gpu);
    const std::vector<double> times = world.measure(sizes, members);
    if (times.size() != members.size()) throw std::logic_error("every member that is measured has a time");
    timed_problem p{sizes, std::vector<std::optional<double>>(static_cast<std::size_t>(family.facts->count))};
    for (std::size_t i = 0; i < members.size(); ++i) p.us[static_cast<std::size_t>(members[i])] = times[i];
    table.problems.push_back(p);
    world.save(table);
    world.done();
  }
  return true;
}

}  // namespace sectile::tool
