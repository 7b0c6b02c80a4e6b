// fault: an epilogue buffer that begins inside its swizzle pattern
// reported: tilelang#2528
// caught: compile time
// expect: operand C: shared-memory offset
#include "fault.hpp"

constexpr plan tampered(plan p) {
  p.epilogue[0].offset += 16;
  return p;
}
static_assert(verified<with_plan<product, tampered>>);
