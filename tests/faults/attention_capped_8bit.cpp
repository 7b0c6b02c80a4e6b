// fault: attention of e4m3 in a form that only 16 bits have
// caught: compile time
// expect: attention of 8 bits: of e4m3, without varlen, capped, slopes and parts; cast such ones to bf16
// clang-lines: 30
#include <sectile/kernels/attention.hpp>

using namespace sectile;

static_assert(verified<kernels::attention_of<kernels::attention_form{.capped = true}, e4m3>>);
