// fault: a WMMA fragment shape that does not exist
// caught: compile time
// expect: wmma<M, N>: fragments are 16 x 16, 32 x 8 or 8 x 32
#include <sectile/dsl/portable/plan.hpp>
#include <sectile/kernels/gemm.hpp>

using namespace sectile;
static_assert(portable::readable<kernels::gemm_bf16, portable::wmma<8, 8>>);
