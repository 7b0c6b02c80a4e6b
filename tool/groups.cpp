#include "tool/groups.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "tool/input_error.hpp"

namespace sectile::tool {
namespace {

const operand_facts& facts_of_groups(const kernel_facts& kernel) { return kernel.input(vector_of_groups(kernel)); }

std::int64_t rows_of_all(const std::vector<operand_data>& inputs) { return inputs[0].shape[0]; }

/// Rows of each group's room.
std::int64_t room_of(const kernel_facts& kernel, const std::vector<operand_data>& inputs) {
  const std::int64_t groups = std::ssize(inputs[static_cast<std::size_t>(vector_of_groups(kernel))].values);
  const std::int64_t rows = rows_of_all(inputs);
  if (rows % groups != 0)
    throw input_error(fmt::format("{} = {} rows are no rooms of as many rows each for {} groups",
                                  facts_of_groups(kernel).cuts, rows, groups));
  return rows / groups;
}

}  // namespace

int vector_of_groups(const kernel_facts& kernel) {
  const auto* what = std::get_if<product_formula>(&kernel.computes);
  return what ? what->ends : 0;
}

void make_groups(const kernel_facts& kernel, std::vector<operand_data>& inputs) {
  if (vector_of_groups(kernel) == 0) return;
  const operand_facts& facts = facts_of_groups(kernel);
  operand_data& numbers = inputs[static_cast<std::size_t>(vector_of_groups(kernel))];
  const std::int64_t rows = rows_of_all(inputs);
  constexpr std::int64_t most = std::int64_t{1} << 24;  // that a float counts
  if (rows >= most) throw input_error(fmt::format("{} = {} rows of groups: less than {} here", facts.cuts, rows, most));
  constexpr std::int64_t whole = 4;
  const auto share = [](std::int64_t e) { return e % whole == 2 ? 0 : 1 + e % whole; };
  const std::int64_t groups = std::ssize(numbers.values), room = facts.counts_rows ? room_of(kernel, inputs) : 0;
  std::int64_t all = 0, until = 0, begin = 0, largest = 0;
  for (std::int64_t e = 0; e < groups; ++e) all += share(e);
  for (std::int64_t e = 0; e < groups; ++e) {
    until += share(e);
    const std::int64_t number = facts.counts_rows ? room * share(e) / whole : rows * until / all;
    numbers.values[static_cast<std::size_t>(e)] = static_cast<float>(number);
    largest = std::max(largest, facts.counts_rows ? number : number - std::exchange(begin, number));
  }
  numbers.note = fmt::format("{}: {} groups of up to {} rows{}", facts.name, groups, largest,
                             facts.counts_rows ? fmt::format(", in rooms of {}", room) : "");
}

void require_groups(const kernel_facts& kernel, const std::vector<operand_data>& inputs,
                    const std::filesystem::path& file) {
  const std::vector<float>& numbers = inputs[static_cast<std::size_t>(vector_of_groups(kernel))].values;
  const auto rows = static_cast<float>(rows_of_all(inputs));
  if (facts_of_groups(kernel).counts_rows) {
    const std::int64_t room = room_of(kernel, inputs);
    for (const float n : numbers)
      if (n < 0 || n > static_cast<float>(room))
        throw input_error(
            fmt::format("{}: a group has from 0 up to {} rows, its room, not {}", file.string(), room, n));
  } else if (!std::ranges::is_sorted(numbers) || numbers.front() < 0 || numbers.back() != rows) {
    throw input_error(fmt::format("{}: ends of groups do not fall, from 0 or more up to {}, the rows that there are",
                                  file.string(), rows));
  }
}

std::vector<group_bounds> groups_of(const kernel_facts& kernel, const std::vector<operand_data>& inputs) {
  const bool counted = facts_of_groups(kernel).counts_rows;
  const int room = counted ? static_cast<int>(room_of(kernel, inputs)) : 0;
  std::vector<group_bounds> all;
  for (const float number : inputs[static_cast<std::size_t>(vector_of_groups(kernel))].values)
    all.push_back(bounds_of_group(counted, static_cast<int>(all.size()), all.empty() ? 0 : all.back().end,
                                  static_cast<int>(number), room));
  return all;
}

}  // namespace sectile::tool
