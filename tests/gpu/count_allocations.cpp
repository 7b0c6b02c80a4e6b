#include "tests/gpu/count_allocations.hpp"

#include <cstdlib>
#include <new>

namespace {
thread_local long count = 0;
}

long sectile::gpu_test::allocations() { return count; }

void* operator new(std::size_t bytes) {
  ++count;
  if (void* p = std::malloc(bytes ? bytes : 1)) return p;
  throw std::bad_alloc();
}
void operator delete(void* p) noexcept { std::free(p); }
void operator delete(void* p, std::size_t) noexcept { std::free(p); }
