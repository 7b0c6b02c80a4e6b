// fault: causal attention to counted keys, whose rows are heads and have no keys of their own
// caught: compile time
// expect: attention of counted keys: H counts heads of keys, whose rows are heads of one token, and see the same keys; so there are no groups, no masks, no slopes and no sinks
// clang-lines: 30
#include "fault.hpp"

#include <sectile/kernels/attention.hpp>

static_assert(
    verified<kernels::attention_of<kernels::attention_form{.mask = kernels::attention_mask::causal, .counted = true}>>);
