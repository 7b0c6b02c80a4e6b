// fault: in a CuTe kernel, a TMA copy that was built with another swizzle than the tile's
// caught: compile time
// expect: TMA writes with Sw<2,3,3> and the tile is Sw<3,3,3> o 0 o ((8,16),64):((64,512),1)
// expect-clang: it_was_found_that<sectile::check_rule::swizzles_differ, 2, 3>
#include "cute_types.hpp"

static_assert(st::holds<st::tma_writes(smem, st::major::k, 16, st::swizzle_mode::b64)>);
