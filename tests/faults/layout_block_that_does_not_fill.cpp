// fault: a shape that a block of a layout does not fill
// caught: compile time
// expect: throw layout_error("tile_to_shape of ", block, " to ", target, ": the block's "
// expect-clang: note: in call to 'tile_to_shape("(8,8)"_layout, "(16,12)"_shape
// expect-nvcc: throw layout_error("tile_to_shape of ", block, " to ", target, ": the block's "
#include <sectile/layouts/product.hpp>

using namespace sectile;
using namespace sectile::literals;

constexpr auto filled = tile_to_shape("(8,8)"_layout, "(16,12)"_shape);
