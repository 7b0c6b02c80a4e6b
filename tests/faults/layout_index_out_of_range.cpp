// fault: the offset of an element that lies outside of its layout
// caught: compile time
// expect: throw layout_error("coordinate ", coordinate, " lies outside of ", l, ": index ", index, " is not in 0 to "
// expect-clang: note: in call to '&tile->operator()(4, 0)'
// expect-nvcc: throw layout_error("coordinate ", coordinate, " lies outside of ", l, ": index ", index, " is not in 0 to "
#include <sectile/layouts/notation.hpp>

using namespace sectile::literals;

constexpr auto tile = "(4,8):(8,1)"_layout;
constexpr auto below_the_last_row = tile(4, 0);
