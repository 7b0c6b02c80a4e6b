// fault: a descriptor that takes the rows of an operand for its columns
// reported: cutlass#2388
// caught: compile time
// expect: operand B: a wgmma
#include "fault.hpp"

constexpr plan tampered(plan p) {
  p.products.at[0].b.major = major::mn;
  return p;
}
static_assert(verified<with_plan<product, tampered>>);
