// fault: attention in parts, of keys that no vector counts
// caught: compile time
// expect: attention in parts, or of paged keys, is of counted ones: .counted = true
// clang-lines: 30
#include "fault.hpp"

#include <sectile/kernels/attention.hpp>

static_assert(verified<kernels::attention_of<kernels::attention_form{.parts = 4}>>);
