// fault: scattered rows on a GPU before Hopper
// caught: compile time
// expect: operand C has rows that place names, whose summands meet in a workspace, which is the wgmma lowering's: build for sm_90a
#include <sectile/dsl/portable/plan.hpp>

#include "fault.hpp"

static_assert(portable::readable<scattered_product, portable::simt>);
