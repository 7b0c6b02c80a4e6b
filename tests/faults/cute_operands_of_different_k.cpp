// fault: in a CuTe kernel, operand tiles with different K
// caught: compile time
// expect: A is ((8,16),64) and B (64,32): K is 64 and 32
#include "cute_types.hpp"

using SmemLayoutB =
    ComposedLayout<Swizzle<2, 4, 3>, smem_ptr_flag_bits<16>, Layout<Shape<Int<64>, Int<32>>, Stride<Int<32>, Int<1>>>>;
static_assert(st::holds<st::sums_agree(smem, st::from_cute(SmemLayoutB{}))>);
