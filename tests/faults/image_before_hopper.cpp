// fault: a convolution on a GPU before Hopper
// caught: compile time
// expect: operand X is read through a filter, whose pixels TMA finds; GPUs before Hopper have none: build for sm_90a
#include <sectile/dsl/portable/plan.hpp>
#include <sectile/kernels/convolution.hpp>

using namespace sectile;
static_assert(portable::readable<kernels::convolution_bf16, portable::simt>);
