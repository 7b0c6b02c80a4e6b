// fault: fp8 under WMMA, on a GPU before Hopper
// caught: compile time
// expect: operand A: e4m3 is multiplied by wgmma on sm_90a only; build for sm_90a, or use f16 or bf16
#include <sectile/dsl/portable/plan.hpp>
#include <sectile/kernels/gemm.hpp>

static_assert(sectile::portable::readable<sectile::kernels::gemm<sectile::e4m3, sectile::e4m3, float>,
                                          sectile::portable::wmma<>>);
