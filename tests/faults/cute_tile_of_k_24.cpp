// fault: in a CuTe kernel, a tile whose K is not a multiple of the MMA's
// caught: compile time
// expect: mode 2 of a tile of (128,64,24) is 24, not a multiple of the 16 of (128,64,16): what covers it has 262144 places and it has 196608
#include "cute_types.hpp"

using CtaTile = Shape<Int<128>, Int<64>, Int<24>>;
static_assert(st::holds<st::divides_evenly(st::adapt::tuple_of<CtaTile>(), mma.tile)>);
