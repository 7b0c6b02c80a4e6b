// fault: an epilogue that skips rows
// reported: tilelang#2522
// caught: compile time
// expect: are stored 0 times by the epilogue
#include "fault.hpp"

constexpr plan tampered(plan p) {
  p.epilogue[0].panels = 0;
  return p;
}
static_assert(verified<with_plan<product, tampered>>);
