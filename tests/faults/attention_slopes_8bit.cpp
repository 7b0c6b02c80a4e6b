// fault: attention of 8 bits with slopes
// caught: compile time
// expect: attention of 8 bits: of e4m3, without varlen, capped, slopes and counted; cast such ones to bf16
// clang-lines: 30
#include <sectile/kernels/attention.hpp>

using namespace sectile;

static_assert(verified<kernels::attention_of<kernels::attention_form{.slopes = true}, e4m3>>);
