// fault: a kernel whose trips store, built for a GPU before Hopper
// caught: compile time
// expect: operand P is stored by the trips of a loop, which is the wgmma lowering's: build for sm_90a
#include <sectile/dsl/portable/plan.hpp>

#include "fault.hpp"

static_assert(portable::readable<product_of_trips, portable::simt>);
