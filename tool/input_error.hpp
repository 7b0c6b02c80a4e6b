// The one kind of error that is the user's to mend: a file, a shape or an option that breaks a rule.
#pragma once

#include <stdexcept>
#include <string>
#include <utility>

namespace sectile::tool {

/// what() is one sentence that names the thing, the rule and the numbers that clash; `below` are lines to show under
/// it, as the place of a mistake in a text.
struct input_error : std::runtime_error {
  std::string below;

  explicit input_error(const std::string& sentence, std::string lines = "")
      : std::runtime_error(sentence), below(std::move(lines)) {}
};

}  // namespace sectile::tool
