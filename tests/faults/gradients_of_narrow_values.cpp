// fault: gradients of attention whose values are narrower than its keys
// caught: compile time
// expect: attention's gradients: values are as wide as keys, which have at most 160 elements, or dK and dV do not fit into registers
// clang-lines: 30
#include "fault.hpp"

#include <sectile/kernels/attention_backward.hpp>

static_assert(verified<kernels::attention_keys_backward<kernels::attention_form{.dim = 128, .values = 64}>>);
