#include "tool/gathers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <sectile/dsl/plan/gather.hpp>
#include <utility>

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

}  // namespace

void make_indices(const kernel_facts& kernel, std::vector<operand_data>& inputs) {
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

}  // namespace sectile::tool
