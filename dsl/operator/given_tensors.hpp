// The arguments of an operator's call as a launch takes them: what DLPack tells of a tensor and a launch cannot know is
// checked here, the rest by the launch.
#pragma once
#include <exception>

#include <sectile/dsl/operator/abi.hpp>
#include <sectile/dsl/operator/untyped_argument.hpp>
#include <sectile/dsl/program/operand.hpp>
#include <span>

namespace sectile {

/// Where the kernel is to run.
enum class operator_place : std::uint8_t { model, gpu };

struct given_tensors {
  untyped_argument argument[max_operands]{};
  int count = 0;
  int device = 0;  // of CUDA, that the tensors are on
  std::span<const untyped_argument> all() const { return {argument, static_cast<std::size_t>(count)}; }
};

/// Throws launch_error: the number of arguments, a tensor that is missing, its elements, where it is.
given_tensors take_tensors(const operator_facts& facts, const operator_call& call, operator_place place);

/// Leaves the sentence for the caller.
void tell_caller(const operator_call& call, const char* sentence) noexcept;

/// Does it; 1 if it was refused.
template <class Do>
std::int32_t refused(const operator_call& call, const Do& what) noexcept {
  try {
    what();
    return 0;
  } catch (const std::exception& e) {
    tell_caller(call, e.what());
  } catch (...) {
    tell_caller(call, "something that is no std::exception was thrown");
  }
  return 1;
}

}  // namespace sectile
