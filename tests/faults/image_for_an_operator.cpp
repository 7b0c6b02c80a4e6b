// fault: an operator for other languages of a convolution, which takes more than tensors and numbers
// caught: compile time
// clang-lines: 16
// expect: operand X is an image that a filter goes over; an operator's arguments are tensors and numbers, which do not say how: launch the kernel from C++
#include "running/running.hpp"

#include <sectile/dsl/operator/operator_of.hpp>

constexpr operator_of<convolved> made("convolved", "a convolution");
