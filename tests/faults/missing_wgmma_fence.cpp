// fault: products use registers that ordinary instructions have written, without a wgmma.fence between
// reported: cutlass#1840, sglang#6453
// caught: compile time
// expect: a product uses registers that ordinary instructions have touched: a wgmma.fence is missing
// expect-clang: refused_because<sectile::rule::registers_are_in_use>
// expect-nvcc: refused_because<sectile::rule::registers_are_in_use>
#include "fault.hpp"

template <class Machine>
struct no_fence : wrong<Machine> {
  using wrong<Machine>::wrong;
  constexpr void wgmma_fence() {}
};
static_assert(verified<on_machine<product, no_fence>>);
