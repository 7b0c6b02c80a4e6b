// Why a launch was refused or failed.
#pragma once
#include <stdexcept>
#include <string>

namespace sectile {

/// One sentence: the operand, the rule, the numbers. Thrown before anything reaches the machine.
struct launch_error : std::runtime_error {
  using std::runtime_error::runtime_error;
};

}  // namespace sectile
