// fault: in a CuTe kernel, a tiled copy whose threads copy some elements twice and others never
// caught: compile time
// expect: element 1 of 256 is held by no thread of (32,
#include "cute_types.hpp"

using Copy = TiledCopy<Copy_Atom<UniversalCopy<uint128_t>, bfloat16_t>,
                       Layout<Shape<Int<32>, Int<8>>, Stride<Int<4>, Int<8>>>, Shape<Int<4>, Int<64>>>;
static_assert(st::holds<st::covers_once(st::from_cute(Copy{}).tv, 256)>);
