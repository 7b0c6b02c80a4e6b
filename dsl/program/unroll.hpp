// Loops whose counter is a constant: registers are named by constants only.
#pragma once
#include <utility>

namespace sectile {

/// f(0), f(1) .. f(N - 1), each argument a std::integral_constant. For loops over register blocks whose bodies are too
/// large for a compiler to unroll on its own: a block that is indexed at run time would live in memory.
template <int N, class F>
constexpr void unroll(F f) {
  [&]<int... I>(std::integer_sequence<int, I...>) {
    (f(std::integral_constant<int, I>{}), ...);
  }(std::make_integer_sequence<int, N>{});
}

}  // namespace sectile
