// fault: a composition of layouts that has no exact result, accepted elsewhere with a wrong one
// reported: cutlass#3177
// caught: compile time
// expect: throw layout_error(call, "composition ", r.a, " o ", r.b, " is not a layout: B takes "
// expect-clang: note: in call to 'composition("(4,6,8):(2,3,5)"_layout, "6:3"_layout)'
// expect-nvcc: throw layout_error(call, "composition ", r.a, " o ", r.b, " is not a layout: B takes "
#include <sectile/layouts/composition.hpp>
#include <sectile/layouts/notation.hpp>

using namespace sectile;
using namespace sectile::literals;

constexpr auto not_a_layout = composition("(4,6,8):(2,3,5)"_layout, "6:3"_layout);
