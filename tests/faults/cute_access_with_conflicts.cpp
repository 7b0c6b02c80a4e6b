// fault: in a CuTe kernel, rows of a tile without a swizzle that threads read by columns
// caught: compile time
// expect: 8 words meet in bank 0, in pass 0 of an access of 16 bytes by 8 lanes
#include "cute_types.hpp"

constexpr st::layout plain = st::from_cute(Layout<Shape<Int<128>, Int<64>>, Stride<Int<64>, Int<1>>>{});
static_assert(st::holds<st::free_of_conflicts([](int lane) { return 2 * plain(lane, 0); }, 16, 8)>);
