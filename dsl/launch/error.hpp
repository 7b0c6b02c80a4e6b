// Why a launch was refused, or what went wrong on the device.
#pragma once
#include <stdexcept>
#include <string>

namespace sectile {

/// One sentence: the operand, the rule, the numbers. Thrown before anything reaches the machine.
struct launch_error : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Work on the device has failed and its context is lost: one sentence that says how, and which launches may have done
/// it. Every later CUDA call of the process meets the same failure.
struct device_error : std::runtime_error {
  using std::runtime_error::runtime_error;
};

}  // namespace sectile
