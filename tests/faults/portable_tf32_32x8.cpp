// fault: a WMMA fragment shape that tf32 does not have
// caught: compile time
// expect: nvcuda::wmma has tf32 fragments of 16 x 16 only, not of 32 x 8
#include <sectile/dsl/portable/plan.hpp>
#include <sectile/kernels/gemm.hpp>

using namespace sectile;
static_assert(portable::readable<kernels::gemm<tf32, tf32, float>, portable::wmma<32, 8>>);
