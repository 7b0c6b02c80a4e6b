// fault: in a CuTe kernel, a swizzled tile in an array that is aligned to 128 bytes
// caught: compile time
// expect: is aligned to 128 bytes and its swizzle repeats after 1024: align it to that
#include "cute_types.hpp"

struct SharedStorage {
  alignas(128) char a[128 * 64 * 2];
};
static_assert(st::holds<st::aligned_for(smem, 16, alignof(SharedStorage))>);
