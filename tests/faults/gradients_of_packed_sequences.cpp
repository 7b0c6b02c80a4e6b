// fault: gradients of attention over packed sequences
// caught: compile time
// expect: attention's gradients: all sequences have the same length; take .varlen out of the form
// clang-lines: 30
#include "fault.hpp"

#include <sectile/kernels/attention_backward.hpp>

static_assert(verified<kernels::attention_keys_backward<kernels::attention_form{.dim = 64, .varlen = true}>>);
