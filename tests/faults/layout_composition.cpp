// fault: a composition of layouts that has no exact result, accepted elsewhere with a wrong one
// reported: cutlass#3177
// caught: compile time
// expect: call to non-'constexpr' function 'void sectile::refuse_composition(
#include <sectile/layouts/composition.hpp>
#include <sectile/layouts/notation.hpp>

using namespace sectile;
using namespace sectile::literals;

constexpr auto not_a_layout = composition("(4,6,8):(2,3,5)"_layout, "6:3"_layout);
