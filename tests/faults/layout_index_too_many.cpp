// fault: the offset of an element of a matrix that is named by three indices
// caught: compile time
// expect: throw layout_error("coordinate ", coordinate, " does not fit the profile ", l.form, " of ", l);
// expect-clang: note: in call to '&tile->operator()(1, 2, 3)'
// expect-nvcc: throw layout_error("coordinate ", coordinate, " does not fit the profile ", l.form, " of ", l);
#include <sectile/layouts/notation.hpp>

using namespace sectile::literals;

constexpr auto tile = "(4,8):(8,1)"_layout;
constexpr auto of_three_indices = tile(1, 2, 3);
