// fault: a tile that begins 128 bytes into its swizzle pattern
// reported: Fuser#3023, Fuser#4096
// caught: compile time
// expect: operand B: shared-memory offset 16512 is not a multiple of 1024
#include "fault.hpp"

constexpr plan tampered(plan p) {
  p.operand[b].stage_offset += 128;
  return p;
}
static_assert(verified<with_plan<product, tampered>>);
