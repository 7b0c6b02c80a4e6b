// fault: in a CuTe kernel, a row-major tile without the atom that wgmma reads
// caught: compile time
// expect: wgmma of 64 x 16 at (0,0) of Sw<0,4,3> o 0 o (128,64):(64,1): element (1,0) lies at byte 128 and wgmma reads it at 16
// expect-clang: it_was_found_that<sectile::check_rule::wgmma_cannot_read_it, 1, 0, 128, 16>
#include "cute_types.hpp"

using Plain = Layout<Shape<Int<128>, Int<64>>, Stride<Int<64>, Int<1>>>;
static_assert(st::holds<st::wgmma_reads(st::with_swizzle(st::from_cute(Plain{}), {}), st::major::k, 16, 64, 16)>);
