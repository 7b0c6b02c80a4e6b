// Loops whose counter is a constant: registers are named by constants only.
#pragma once
#include <utility>

/// Ahead of a loop: the device's compiler is told to unroll it, as far as its bounds are known; others decide for
/// themselves. Or to leave it a loop.
#ifdef __CUDA_ARCH__
#define SECTILE_UNROLL _Pragma("unroll")
#define SECTILE_KEEP_LOOP _Pragma("unroll 1")
#else
#define SECTILE_UNROLL
#define SECTILE_KEEP_LOOP
#endif

namespace sectile {

/// f(0), f(1) .. f(N - 1), each argument a std::integral_constant. For loops over register blocks whose bodies are too
/// large for a compiler to unroll on its own: a block that is indexed at run time would live in memory.
template <int N, class F>
constexpr void unroll(F f) {
  [&]<int... I>(std::integer_sequence<int, I...>) {
    (f(std::integral_constant<int, I>{}), ...);
  }(std::make_integer_sequence<int, N>{});
}

/// The same with an int, which is a constant once the device's compiler has unrolled the loop, as it is told to: one
/// function to compile where unroll() makes N of them.
template <int N, class F>
constexpr void unroll_late(F f) {
  SECTILE_UNROLL for (int n = 0; n < N; ++n) f(n);
}

}  // namespace sectile
