// verified<K>: every proof holds for kernel K. A launch requires it, and a kernel's file asserts it.
#pragma once
#include <sectile/dsl/plan/build.hpp>

namespace sectile {

/// The first proof that fails for K.
template <class K>
inline constexpr violation verdict_of = plan_of<K>.refusal;

/// Instantiated only to fail: the compiler's message names the rule and, where it prints text, the sentence.
template <rule Rule, sentence Says>
constexpr bool kernel_is_refused() {
  static_assert(Rule == rule::holds, "this kernel is refused: see Rule and Says in the line that mentions kernel_is_refused");
  return false;
}

template <class K>
constexpr bool verify() {
  if constexpr (verdict_of<K>.holds())
    return true;
  else
    return kernel_is_refused<verdict_of<K>.what, verdict_of<K>.says>();
}

template <class K>
inline constexpr bool verified = verify<K>();

}  // namespace sectile
