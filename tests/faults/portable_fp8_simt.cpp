// fault: fp8 on a GPU before Hopper
// caught: compile time
// expect: operand A: e5m2 is multiplied by wgmma on sm_90a only; build for sm_90a, or use f16 or bf16
#include <sectile/dsl/portable/plan.hpp>
#include <sectile/kernels/gemm.hpp>

static_assert(
    sectile::portable::readable<sectile::kernels::gemm<sectile::e5m2, sectile::e5m2, float>, sectile::portable::simt>);
