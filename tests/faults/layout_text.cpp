// fault: a layout whose text has a bracket too many
// caught: compile time
// expect: call to non-'constexpr' function 'void sectile::refuse(
#include <sectile/layouts/notation.hpp>

using namespace sectile::literals;

constexpr auto unbalanced = "((8,16):(1,8)"_layout;
