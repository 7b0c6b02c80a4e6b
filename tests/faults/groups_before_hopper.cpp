// fault: tiles of groups on a GPU before Hopper
// caught: compile time
// expect: operand ends: a group ends anywhere in a tile, which TMA sees to; GPUs before Hopper have none: build for sm_90a
#include <sectile/dsl/portable/plan.hpp>
#include <sectile/kernels/grouped_gemm.hpp>

using namespace sectile;
static_assert(portable::readable<kernels::grouped_gemm_bf16, portable::simt>);
