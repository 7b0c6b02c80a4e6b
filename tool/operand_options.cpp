#include "tool/operand_options.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "tool/numbers.hpp"
#include "tool/sizes.hpp"

namespace sectile::tool {
namespace {

/// "--of-row" of "--", of_row.
std::string option_named(std::string front, const operand_facts& operand) {
  for (const char* c = operand.name; *c; ++c)
    front += *c == '_' ? '-' : static_cast<char>(std::tolower(static_cast<unsigned char>(*c)));
  return front;
}

/// An option means what it means to any kernel.
void add(std::vector<operand_option>& all, const std::string& name, const operand_facts& operand,
         const std::string& means, const std::string& takes = "FILE.npy") {
  const auto known = std::ranges::find(all, name, &operand_option::name);
  if (known == all.end()) {
    all.push_back({name, fmt::format("{}: {}", operand.name, means), takes});
    return;
  }
  if ((known->says + ",").find(" " + means + ",") == std::string::npos) known->says += ", or " + means;
  if (known->takes != takes) known->takes = "FILE.npy|NUMBER";
}

/// "T x M": as declared.
std::string declared_modes(const operand_facts& operand) {
  return letters_text([&] {
    std::string letters;
    for (int d = 0; d < operand.tile.rank; ++d) letters += operand.mode_name[d][0];
    return letters;
  }());
}

}  // namespace

std::string option_of(const operand_facts& operand) { return option_named("--", operand); }

std::string output_option(const kernel_facts& kernel, int i) {
  return i == 0 ? "--out" : option_named("--out-", kernel.output(i));
}

std::vector<operand_option> operand_options() {
  std::vector<operand_option> all;
  for (const kernel_facts& kernel : kernel_list()) {
    for (int i = 0; i < kernel.inputs(); ++i)
      add(all, option_of(kernel.input(i)), kernel.input(i), modes_text(kernel, kernel.number_of_input(i)));
    for (const auto& [number, value] : numbers_of(kernel))
      add(all, option_of(*number), *number, fmt::format("the number itself ({})", value), "NUMBER");
  }
  return all;
}

std::vector<operand_option> output_options() {
  std::vector<operand_option> all;
  for (const kernel_facts& kernel : kernel_list())
    for (int i = 1; i < kernel.outputs(); ++i)
      add(all, output_option(kernel, i), kernel.output(i), declared_modes(kernel.output(i)));
  return all;
}

}  // namespace sectile::tool
