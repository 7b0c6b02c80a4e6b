// fault: in a CuTe kernel, a swizzled tile in an array that is aligned to 128 bytes
// caught: compile time
// expect: the tile Sw<3,3,3> o 0 o ((8,16),64):((64,512),1) is aligned to 128 bytes and its swizzle repeats after 1024: align it to that
#include "cute_types.hpp"

struct SharedStorage {
  alignas(128) char a[128 * 64 * 2];
};
static_assert(st::holds<st::aligned_for(smem, 16, alignof(SharedStorage))>);
