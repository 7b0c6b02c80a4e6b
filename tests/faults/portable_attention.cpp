// fault: a kernel with register operands on a GPU before Hopper
// caught: compile time
// expect: a product by operand V has a left factor that was computed in registers; the portable readings multiply tiles in shared memory: this kernel needs sm_90a
#include <sectile/dsl/portable/plan.hpp>
#include <sectile/kernels/attention.hpp>

using namespace sectile;
static_assert(portable::readable<kernels::attention<64, kernels::attention_mask::none>, portable::simt>);
