// fault: in a CuTe kernel, a layout with an extent that is known at run time
// caught: compile time
// expect: an extent or stride of this layout is a number at run time: write cute::Int<N>
#include "cute_types.hpp"

using Rows = Layout<Shape<int, Int<64>>, Stride<Int<64>, Int<1>>>;
constexpr st::layout rows = st::from_cute(Rows{});
