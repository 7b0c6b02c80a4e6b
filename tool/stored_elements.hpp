// What a kernel stores of sums of products, element by element, and how far rounding moves it.
#pragma once

#include <cstdint>
#include <vector>

#include "tool/answer.hpp"
#include "tool/formula.hpp"
#include "tool/operand_data.hpp"
#include "tool/sizes.hpp"

namespace sectile::tool {

/// An input that no product takes, at each element of the output: its modes are some of the output's.
struct spread_input {
  const float* values = nullptr;
  std::int64_t row = 0, col = 0;  // from one element to the next along the output's rows and columns

  spread_input(const operand_facts& facts, const operand_data& data, const operand_facts& out);
  double at(std::int64_t i, std::int64_t j) const { return static_cast<double>(values[i * row + j * col]); }
};

/// The sums of a kernel's products, each of rows x cols, if it has products, and what is beside them.
struct summed_products {
  std::vector<std::vector<double>> sums{};
  std::vector<spread_input> others{};
  std::vector<double> numbers{};
  std::int64_t rows = 0, cols = 0;
  double bar = 0, error = 0;  // of each sum in f32: the largest that passes, and what the instruction explains

  std::size_t elements() const { return static_cast<std::size_t>(rows * cols); }
};

/// What `after` makes of them before that is rounded; as the bar how far it moves where each sum is off by its own.
answer stored_elements(const summed_products& p, element_function after);

/// The same elements, each with how far it may be off by itself.
std::vector<approximate> approximate_elements(const summed_products& p, element_function after);

}  // namespace sectile::tool
