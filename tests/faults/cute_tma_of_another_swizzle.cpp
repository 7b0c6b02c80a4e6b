// fault: in a CuTe kernel, a TMA copy that was built with another swizzle than the tile's
// caught: compile time
// expect: TMA writes with Sw<2,3,3> and the tile is Sw<3,3,3> o 0 o ((8,16),64):((64,512),1)
// expect-clang: it_was_found_that<sectile::check_rule::swizzles_differ, 2, 3>
#include "cute_types.hpp"

// What make_tma_copy was given; the kernel's tile is SmemLayout.
using OfTma =
    ComposedLayout<Swizzle<2, 4, 3>, smem_ptr_flag_bits<16>, Layout<Shape<Int<128>, Int<32>>, Stride<Int<32>, Int<1>>>>;
constexpr st::swizzle_mode of_tma = st::swizzle_mode_of(st::from_cute(OfTma{}), 16);
static_assert(st::holds<st::tma_writes(smem, st::major::k, 16, of_tma)>);
