// fault: attention in parts whose logarithms nobody stores, so that nobody can tell what each counts
// caught: compile time
// expect: attention in parts: .lse = true, as a part counts by its logarithms, and H counts heads of keys, whose rows are all that share it
// clang-lines: 30
#include "fault.hpp"

#include <sectile/kernels/attention.hpp>

static_assert(verified<kernels::attention_of<kernels::attention_form{.parts = true}>>);
