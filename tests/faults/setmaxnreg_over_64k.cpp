// fault: a setmaxnreg sum over 64 K registers: it would wait forever
// reported: cutlass#1676, cutlass#2904
// caught: compile time
// expect: = 520 registers per thread, the CTA is launched with 504: setmaxnreg would wait forever
// expect-clang: refused_because<sectile::rule::registers_exceed_the_pool, 40, 2, 240, 520, 504>
// expect-nvcc: refused_because<sectile::rule::registers_exceed_the_pool, 40LL, 2LL, 240LL, 520LL, 504LL>
#include "fault.hpp"

constexpr plan tampered(plan p) {
  p.producer_registers = 40;
  p.consumer_registers = 240;
  return p;
}
static_assert(verified<with_plan<product, tampered>>);
