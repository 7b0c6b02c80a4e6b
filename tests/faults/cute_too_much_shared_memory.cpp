// fault: in a CuTe kernel, more shared memory than a CTA has
// caught: compile time
// expect: 262272 bytes of shared memory are wanted, a CTA has 232448
#include "cute_types.hpp"

constexpr int stages = 8, barriers = 128;
static_assert(st::holds<st::fits_shared_memory(stages * 2 * st::cosize(smem) * 2 + barriers)>);
