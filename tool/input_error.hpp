// The one kind of error that is the user's to mend: a file, a shape or an option that breaks a rule.
#pragma once

#include <stdexcept>
#include <string>

namespace sectile::tool {

/// what() is one sentence that names the thing, the rule and the numbers that clash.
struct input_error : std::runtime_error {
  using std::runtime_error::runtime_error;
};

}  // namespace sectile::tool
