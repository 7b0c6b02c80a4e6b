// A block of a thread's registers.
#pragma once

namespace sectile::hopper {

/// N 32-bit registers. A plain array: indexed by constants only (unrolled loops), it never goes to memory.
template <class T, int N>
struct registers {
  T r[N < 1 ? 1 : N];
  constexpr T& operator[](int i) { return r[i]; }
  constexpr const T& operator[](int i) const { return r[i]; }
};

}  // namespace sectile::hopper
