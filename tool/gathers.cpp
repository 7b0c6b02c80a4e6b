#include "tool/gathers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <sectile/dsl/plan/gather.hpp>
#include <utility>

#include "tool/error_bar.hpp"
#include "tool/input_error.hpp"

namespace sectile::tool {
namespace {

/// Calls use(matrix, index) for the inputs that are picked from, by their numbers, and what picks.
template <class Use>
void each_gathered(const kernel_facts& kernel, Use use) {
  for (int i = 0; i < kernel.inputs(); ++i) {
    const int index = find_index(*kernel.declared, kernel.number_of_input(i));
    for (int other = 0; other < kernel.inputs() && index >= 0; ++other)
      if (kernel.number_of_input(other) == index) use(static_cast<std::size_t>(i), static_cast<std::size_t>(other));
  }
}

/// The input that says where the first output's rows are; -1: they lie as they are stored.
int naming_input(const kernel_facts& kernel) {
  const int index = find_index(*kernel.declared, kernel.number_of_output(0));
  for (int i = 0; i < kernel.inputs() && index >= 0; ++i)
    if (kernel.number_of_input(i) == index) return i;
  return -1;
}

/// Each of the places once: a step that has no divisor in common with their number comes to all of them.
void make_places(const kernel_facts& kernel, const named_sizes& sizes, operand_data& index) {
  const std::int64_t rows = sizes.of(gathered_letter), count = std::ssize(index.values);
  if (count % rows != 0)
    throw input_error(fmt::format("{} rows are stored, and {} has {}: each is the sum of as many; use a multiple of {}",
                                  count, kernel.output().name, rows, rows));
  std::int64_t step = 37, at = 0;
  while (std::gcd(step, count) != 1) ++step;
  for (float& number : index.values) number = static_cast<float>(at++ * step % count);
  index.note = fmt::format("{}: each place in {} once, in no order", kernel.input(naming_input(kernel)).name,
                           kernel.output().name);
}

}  // namespace

void make_indices(const kernel_facts& kernel, const named_sizes& sizes, std::vector<operand_data>& inputs) {
  if (const int index = naming_input(kernel); index >= 0)
    make_places(kernel, sizes, inputs[static_cast<std::size_t>(index)]);
  each_gathered(kernel, [&](std::size_t matrix, std::size_t index) {
    const std::int64_t rows = inputs[matrix].shape[0];
    std::int64_t at = 0;
    for (float& number : inputs[index].values) {
      number = static_cast<float>((at * 37 + at / 5) % rows);
      ++at;
    }
    inputs[index].note = fmt::format("{}: rows of {} in no order", kernel.input(static_cast<int>(index)).name,
                                     kernel.input(static_cast<int>(matrix)).name);
  });
}

void require_indices(const kernel_facts& kernel, const std::vector<operand_data>& inputs,
                     const std::vector<std::filesystem::path>& files) {
  each_gathered(kernel, [&](std::size_t matrix, std::size_t index) {
    const auto rows = static_cast<float>(inputs[matrix].shape[0]);
    for (const float number : inputs[index].values)
      if (number < -1 || number >= rows)
        throw input_error(fmt::format("{}: {} has rows 0 to {}, and -1 is a row of zeros; there is no row {}",
                                      files[index].string(), kernel.input(static_cast<int>(matrix)).name, rows - 1,
                                      number));
  });
}

std::vector<operand_data> with_rows_picked(const kernel_facts& kernel, std::vector<operand_data> inputs) {
  each_gathered(kernel, [&](std::size_t matrix, std::size_t index) {
    const std::int64_t cols = inputs[matrix].shape[1];
    operand_data picked{.shape = inputs[index].shape, .values = {}};
    picked.shape.push_back(cols);
    for (const float number : inputs[index].values) {
      const auto from = inputs[matrix].values.begin() + static_cast<std::int64_t>(std::max(number, 0.0f)) * cols;
      if (number < 0)
        picked.values.resize(picked.values.size() + static_cast<std::size_t>(cols));
      else
        picked.values.insert(picked.values.end(), from, from + cols);
    }
    inputs[matrix] = std::move(picked);
  });
  return inputs;
}

bool scatters_rows(const kernel_facts& kernel) { return naming_input(kernel) >= 0; }

std::vector<approximate> rows_added_up(const kernel_facts& kernel, const std::vector<operand_data>& inputs,
                                       const std::vector<approximate>& elements, std::int64_t rows, std::int64_t cols) {
  const std::vector<float>& place = inputs[static_cast<std::size_t>(naming_input(kernel))].values;
  const std::int64_t each = std::ssize(place) / rows;
  std::vector<std::int64_t> row_at(place.size());
  for (std::size_t i = 0; i < place.size(); ++i)
    row_at[static_cast<std::size_t>(place[i])] = static_cast<std::int64_t>(i);
  std::vector<approximate> all, summands(static_cast<std::size_t>(each));
  for (std::int64_t row = 0; row < rows; ++row)
    for (std::int64_t col = 0; col < cols; ++col) {
      for (std::int64_t j = 0; j < each; ++j) {
        approximate x =
            elements[static_cast<std::size_t>(row_at[static_cast<std::size_t>(row * each + j)] * cols + col)];
        x.off += rounding_off(kernel.output().type, x.value);
        summands[static_cast<std::size_t>(j)] = x;
      }
      all.push_back(sum_of(summands));
    }
  return all;
}

}  // namespace sectile::tool
