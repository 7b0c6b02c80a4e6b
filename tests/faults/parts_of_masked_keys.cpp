// fault: causal attention in parts, whose rows are heads and have no keys of their own
// caught: compile time
// expect: attention in parts: rows are heads of one token, which see the same keys, so there is no mask and no slope; a sink would count in every part
// clang-lines: 30
#include "fault.hpp"

#include <sectile/kernels/attention.hpp>

static_assert(verified<kernels::attention_of<
                  kernels::attention_form{.mask = kernels::attention_mask::causal, .lse = true, .parts = true}>>);
