#include "tool/sizes.hpp"

#include <fmt/format.h>

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
  const auto add = [&](const operand_facts& operand) {
    for (const char letter : letters_of(operand))
      if (all.find(letter) == std::string::npos) all += letter;
  };
  add(kernel.output());
  for (int i = 0; i < kernel.inputs(); ++i) add(kernel.input(i));
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

std::string named_sizes::text() const {
  std::string all;
  for (std::size_t i = 0; i < at.size(); ++i)
    all += fmt::format("{}{} = {}", all.empty() ? "" : ", ", letters[i], at[i]);
  return all;
}

}  // namespace sectile::tool
