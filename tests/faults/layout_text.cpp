// fault: a layout whose text has a bracket too many
// caught: compile time
// expect: wrong_at_position<7, sectile::literal_text<20>{"expected ',' or ')'"}>
// expect-clang: in call to 'refused_text(7, &"expected ',' or ')'"[0], &"((8,16):(1,8)"[0], 13)'
// expect-nvcc: class "sectile::wrong_at_position<7,
#include <sectile/layouts/notation.hpp>

using namespace sectile::literals;

constexpr auto unbalanced = "((8,16):(1,8)"_layout;
