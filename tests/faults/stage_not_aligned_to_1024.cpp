// fault: a missing 1024-byte alignment: the 128-byte swizzle repeats there
// reported: tilelang#2528, tilelang#216, Fuser#3602
// caught: compile time
// expect: is not a multiple of 1024, where its swizzle pattern repeats
#include "fault.hpp"

constexpr plan tampered(plan p) {
  p.ring[0].stage_bytes += 512;
  return p;
}
static_assert(verified<with_plan<product, tampered>>);
