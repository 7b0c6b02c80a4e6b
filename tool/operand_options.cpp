#include "tool/operand_options.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "tool/sizes.hpp"

namespace sectile::tool {

std::string option_of(const operand_facts& operand) {
  std::string name = "--";
  for (const char* c = operand.name; *c; ++c)
    name += *c == '_' ? '-' : static_cast<char>(std::tolower(static_cast<unsigned char>(*c)));
  return name;
}

std::vector<operand_option> operand_options() {
  std::vector<operand_option> all;
  for (const kernel_facts& kernel : kernel_list()) {
    for (int i = 0; i < kernel.inputs(); ++i) {
      const operand_facts& operand = kernel.input(i);
      const std::string extents = letters_text(letters_of(operand));
      const auto known = std::ranges::find(all, option_of(operand), &operand_option::name);
      if (known == all.end())
        all.push_back({option_of(operand), fmt::format("{}: {}", operand.name, extents)});
      else if (!known->says.ends_with(" " + extents))
        known->says += ", or " + extents;
    }
  }
  return all;
}

}  // namespace sectile::tool
