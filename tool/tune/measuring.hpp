// Measuring a family problem by problem, so that it can be broken off at any point and gone on with.
#pragma once
#include <functional>
#include <span>
#include <vector>

#include "tool/tune/table.hpp"

namespace sectile::tool {

/// Members that are predicted to take longer than the best by more than this are not measured.
inline constexpr double worth_measuring = 3;
/// The members that are measured for a problem.
std::vector<int> members_to_measure(const family_facts& family, const problem_size& sizes, const gpu_constants& gpu);

/// What measuring needs of the world; the tests have another one.
struct tuning_world {
  /// The microseconds of each of these members.
  std::function<std::vector<double>(const problem_size&, std::span<const int> members)> measure;
  std::function<void(const tuning_table&)> save;  // called after each problem
  std::function<bool()> interrupted;              // asked before each problem
  std::function<void()> done;                     // a problem is through
};

/// The times of an earlier table, of the family before its configurations changed, as a table of the family now.
/// Members go by their names, and those that are new have no times.
tuning_table taken_over(const shipped_family& family, const tuning_table& earlier);
/// The problems that the table lacks.
std::vector<problem_size> problems_left(const tuning_table& table, std::span<const problem_size> wanted);
/// Measures what the table lacks. Returns whether it is complete; it is not where the world has interrupted. `earlier`:
/// a table of the family before its configurations changed. Of its problems only members that it has no times of are
/// measured, beside the fastest of those that stay, and put to the clock of that time.
bool measure_problems(const shipped_family& family, std::span<const problem_size> wanted, const gpu_constants& gpu,
                      tuning_table& table, const tuning_world& world, const tuning_table* earlier = nullptr);

}  // namespace sectile::tool
