// fault: a layout divided by a tile whose modes overlap
// caught: compile time
// expect: throw layout_error(call, "complement of ", r.a, " is refused: the mode ", extent
// expect-clang: note: in call to 'logical_divide("(64,64)"_layout, "<(4,2):(1,2),8:1>"_tiler)'
// expect-nvcc: throw layout_error(call, "complement of ", r.a, " is refused: the mode ", extent
#include <sectile/layouts/divide.hpp>

using namespace sectile;
using namespace sectile::literals;

constexpr auto tiles = logical_divide("(64,64)"_layout, "<(4,2):(1,2),8:1>"_tiler);
