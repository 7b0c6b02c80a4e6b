#include "tool/groups.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "tool/input_error.hpp"
#include "tool/sizes.hpp"

namespace sectile::tool {
namespace {

/// Rows of each group's room.
std::int64_t room_of(const kernel_facts& kernel, const std::vector<operand_data>& inputs, int vector) {
  const std::int64_t groups = std::ssize(inputs[static_cast<std::size_t>(vector)].values);
  const std::int64_t rows = rows_of_groups(kernel, inputs, vector);
  if (rows % groups != 0)
    throw input_error(fmt::format("{} = {} rows are no rooms of as many rows each for {} groups",
                                  kernel.input(vector).cuts, rows, groups));
  return rows / groups;
}

void make_groups(const kernel_facts& kernel, std::vector<operand_data>& inputs, int vector, int turn) {
  const operand_facts& facts = kernel.input(vector);
  operand_data& numbers = inputs[static_cast<std::size_t>(vector)];
  const std::int64_t rows = rows_of_groups(kernel, inputs, vector);
  constexpr std::int64_t most = std::int64_t{1} << 24;  // that a float counts
  if (rows >= most) throw input_error(fmt::format("{} = {} rows of groups: less than {} here", facts.cuts, rows, most));
  constexpr std::int64_t whole = 4;
  const auto share = [&](std::int64_t e) { return (e + turn) % whole == 2 ? 0 : 1 + (e + turn) % whole; };
  const std::int64_t groups = std::ssize(numbers.values);
  const std::int64_t room = facts.counts_rows ? room_of(kernel, inputs, vector) : 0;
  std::int64_t all = 0, until = 0, begin = 0, largest = 0;
  for (std::int64_t e = 0; e < groups; ++e) all += share(e);
  for (std::int64_t e = 0; e < groups; ++e) {
    until += share(e);
    const std::int64_t number = facts.counts_rows ? room * share(e) / whole : all > 0 ? rows * until / all : rows;
    numbers.values[static_cast<std::size_t>(e)] = static_cast<float>(number);
    largest = std::max(largest, facts.counts_rows ? number : number - std::exchange(begin, number));
  }
  numbers.note = fmt::format("{}: {} groups of up to {} rows{}", facts.name, groups, largest,
                             facts.counts_rows ? fmt::format(", in rooms of {}", room) : "");
}

void require_groups(const kernel_facts& kernel, const std::vector<operand_data>& inputs, int vector,
                    const std::filesystem::path& file) {
  const std::vector<float>& numbers = inputs[static_cast<std::size_t>(vector)].values;
  const auto rows = static_cast<float>(rows_of_groups(kernel, inputs, vector));
  if (kernel.input(vector).counts_rows) {
    const std::int64_t room = room_of(kernel, inputs, vector);
    for (const float n : numbers)
      if (n < 0 || n > static_cast<float>(room))
        throw input_error(
            fmt::format("{}: a group has from 0 up to {} rows, its room, not {}", file.string(), room, n));
  } else if (!std::ranges::is_sorted(numbers) || numbers.front() < 0 || numbers.back() != rows) {
    throw input_error(fmt::format("{}: ends of groups do not fall, from 0 or more up to {}, the rows that there are",
                                  file.string(), rows));
  }
}

}  // namespace

std::vector<int> vectors_of_groups(const kernel_facts& kernel) {
  std::vector<int> all;
  for (int i = 0; i < kernel.inputs(); ++i)
    if (kernel.input(i).cuts[0]) all.push_back(i);
  return all;
}

std::int64_t rows_of_groups(const kernel_facts& kernel, const std::vector<operand_data>& inputs, int vector) {
  const plan& p = *kernel.declared;
  for (int i = 0; i < kernel.inputs(); ++i) {
    const int o = kernel.number_of_input(i);
    if (kernel.input(i).is_gathered()) continue;  // its rows are in no groups: those that its index picks are
    if (position_of_cut(p, o) < 0 || ends_of(p, o) != kernel.number_of_input(vector)) continue;
    const std::vector<int> modes = given_modes(kernel, o);
    return inputs[static_cast<std::size_t>(i)]
        .shape[static_cast<std::size_t>(std::ranges::find(modes, position_of_cut(p, o)) - modes.begin())];
  }
  throw input_error(fmt::format("{}: no input of {} has rows of these groups", kernel.input(vector).name, kernel.name));
}

void make_groups(const kernel_facts& kernel, std::vector<operand_data>& inputs) {
  int turn = 0;
  for (const int vector : vectors_of_groups(kernel)) make_groups(kernel, inputs, vector, turn++);
}

void require_groups(const kernel_facts& kernel, const std::vector<operand_data>& inputs,
                    const std::vector<std::filesystem::path>& files) {
  for (const int vector : vectors_of_groups(kernel))
    require_groups(kernel, inputs, vector, files[static_cast<std::size_t>(vector)]);
}

std::vector<group_bounds> groups_of(const kernel_facts& kernel, const std::vector<operand_data>& inputs, int vector) {
  const bool counted = kernel.input(vector).counts_rows;
  const int room = counted ? static_cast<int>(room_of(kernel, inputs, vector)) : 0;
  std::vector<group_bounds> all;
  for (const float number : inputs[static_cast<std::size_t>(vector)].values)
    all.push_back(bounds_of_group(counted, static_cast<int>(all.size()), all.empty() ? 0 : all.back().end,
                                  static_cast<int>(number), room));
  return all;
}

}  // namespace sectile::tool
