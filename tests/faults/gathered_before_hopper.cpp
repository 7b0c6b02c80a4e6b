// fault: gathered rows on a GPU before Hopper
// caught: compile time
// expect: operand P has rows that slot picks, which the warps copy that fill a ring; GPUs before Hopper have none: build for sm_90a
#include <sectile/dsl/portable/plan.hpp>
#include <sectile/kernels/experts.hpp>

using namespace sectile;
static_assert(portable::readable<kernels::summed_experts<bf16, bf16>, portable::simt>);
