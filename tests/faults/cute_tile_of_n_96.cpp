// fault: in a CuTe kernel, a tile of 96 columns made of an atom of 64
// caught: compile time
// expect: mode 0 of a tile of (96,64) is 96, not a multiple of the 64 of (64,8)
#include "cute_types.hpp"

using Atom =
    ComposedLayout<Swizzle<3, 4, 3>, smem_ptr_flag_bits<16>, Layout<Shape<Int<64>, Int<8>>, Stride<Int<1>, Int<64>>>>;
using TileB = Shape<Int<96>, Int<64>>;
static_assert(st::holds<st::divides_evenly(st::adapt::tuple_of<TileB>(), shape(st::from_cute(Atom{})))>);
