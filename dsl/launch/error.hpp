// Why a launch was refused, or what went wrong on the device. <stdexcept> would cost every file with a kernel 0.8 s of
// compile time, a third of what the kernel itself takes.
#pragma once
#include <exception>

#include <sectile/layouts/message.hpp>

namespace sectile {

/// An exception that is one sentence.
class told_error : public std::exception {
 public:
  /// The parts (texts and whole numbers) are joined.
  explicit told_error(const auto&... parts) noexcept { (sentence_.add(parts), ...); }
  const char* what() const noexcept override { return sentence_.chars; }

 private:
  message sentence_;
};

/// The operand, the rule, the numbers. Thrown before anything reaches the machine.
struct launch_error : told_error {
  using told_error::told_error;
};

/// The same, of what this configuration of a program does not take, and another one may.
struct unfit_configuration : launch_error {
  using launch_error::launch_error;
};

/// Work on the device has failed and its context is lost: one sentence that says how, and which launches may have done
/// it. Every later CUDA call of the process meets the same failure.
struct device_error : told_error {
  using told_error::told_error;
};

}  // namespace sectile
