#include "tool/sizes.hpp"

#include <fmt/format.h>

#include <sectile/dsl/plan/vector_outputs.hpp>

#include "tool/args.hpp"
#include "tool/input_error.hpp"

namespace sectile::tool {

std::string letters_of(const operand_facts& operand) {
  std::string letters;
  for (int d = 0; d < operand.tile.rank; ++d) {
    const char letter = operand.mode_name[d][0];
    letters += letter == 'T' ? 'S' : letter;
  }
  return letters;
}

std::string size_letters(const kernel_facts& kernel) {
  std::string all;
  const auto add = [&](char letter) {
    if (all.find(letter) == std::string::npos) all += letter;
  };
  for (int i = 0; i < kernel.outputs(); ++i)
    for (int d = 0; d < kernel.output(i).tile.rank; ++d)
      if (counted_mode(kernel.output_plan(i), d) < 0) add(letters_of(kernel.output(i))[static_cast<std::size_t>(d)]);
  for (int i = 0; i < kernel.inputs(); ++i)
    for (const char letter : letters_of(kernel.input(i))) add(letter);
  return all;
}

std::string letters_text(std::string_view letters) {
  return letters.empty() ? "a number" : fmt::format("{}", fmt::join(letters, " x "));
}

std::vector<std::int64_t> named_sizes::of(const operand_facts& operand) const {
  std::vector<std::int64_t> shape;
  for (const char letter : letters_of(operand)) shape.push_back(of(letter));
  return shape;
}

std::vector<std::int64_t> named_sizes::of_output(const kernel_facts& kernel, int i) const {
  const operand_facts& work = kernel.output();
  std::vector<std::int64_t> shape;
  for (const char letter : letters_of(kernel.output(i))) {
    const int counted = counted_mode(kernel.output_plan(i), static_cast<int>(shape.size()));
    if (counted < 0) {
      shape.push_back(of(letter));
    } else {
      const std::int64_t tile = work.tile.extent[counted];
      shape.push_back((of(letters_of(work)[static_cast<std::size_t>(counted)]) + tile - 1) / tile);
    }
  }
  return shape;
}

std::string named_sizes::text() const {
  std::string all;
  for (std::size_t i = 0; i < at.size(); ++i)
    all += fmt::format("{}{} = {}", all.empty() ? "" : ", ", letters[i], at[i]);
  return all;
}

named_sizes sizes_asked(const kernel_facts& kernel, const std::string& shape) {
  named_sizes sizes{.letters = size_letters(kernel), .at = {}};
  try {
    sizes.at = parse_named_shape(shape, sizes.letters);
  } catch (const input_error& error) {
    throw input_error(
        fmt::format("{} has the modes {}: {}", kernel.name, fmt::join(sizes.letters, ", "), error.what()));
  }
  return sizes;
}

}  // namespace sectile::tool
