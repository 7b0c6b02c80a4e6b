// fault: attention of 8 bits in parts
// caught: compile time
// expect: attention of 8 bits: of e4m3, without varlen, capped, slopes and parts; cast such ones to bf16
#include <sectile/kernels/attention.hpp>

using namespace sectile;

static_assert(verified<kernels::attention_of<kernels::attention_form{.lse = true, .parts = true}, e4m3>>);
