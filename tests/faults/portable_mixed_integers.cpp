// fault: signed times unsigned under WMMA, which has no such product
// caught: compile time
// expect: nvcuda::wmma has no s8 x u8; it multiplies f16, bf16, tf32, s8 or u8, both operands of one type; the SIMT reading takes more
#include <sectile/dsl/portable/plan.hpp>
#include <sectile/kernels/gemm.hpp>

using namespace sectile;
static_assert(portable::readable<kernels::gemm<s8, u8, s32>, portable::wmma<>>);
