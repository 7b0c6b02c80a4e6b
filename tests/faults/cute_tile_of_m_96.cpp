// fault: in a CuTe kernel, a tile whose M is not a multiple of the MMA's
// caught: compile time
// expect: mode 0 of a tile of (96,64,64) is 96, not a multiple of the 128 of (128,64,16)
// expect-clang: it_was_found_that<sectile::check_rule::tile_is_not_a_multiple, 0, 96, 128>
#include "cute_types.hpp"

using CtaTile = Shape<Int<96>, Int<64>, Int<64>>;
static_assert(st::holds<st::divides_evenly(st::adapt::tuple_of<CtaTile>(), mma.tile)>);
