// fault: latent attention whose columns do not come out even among its CTAs
// caught: compile time
// expect: operand Q: 170 contiguous elements are 340 bytes; TMA copies multiples of 16 bytes: use a multiple of 8 elements
// clang-lines: 16
#include <sectile/kernels/latent_attention.hpp>

using namespace sectile;

static_assert(verified<kernels::latent_attention<kernels::latent_form{.slices = 3}>>);
