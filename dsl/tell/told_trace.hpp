// The run of a body that explanations and pages tell: the first output tile where every operand has three tiles along
// every mode, and two trips of every loop.
#pragma once
#include <sectile/dsl/plan/build.hpp>

namespace sectile::tell {

inline constexpr scenario told_scenario{3, 0, 0};

/// Where the loops of K's body end, by position.
template <class K>
constexpr known_loops told_loops() {
  return loops_of(trace_body<K>(told_scenario));
}

/// Traced by the compiler, as the plan is: operands of one expression are evaluated from left to right, so positions
/// are the plan's. (A program may evaluate them in another order.)
template <class K>
inline constexpr trace told_trace = trace_body<K>(told_scenario, told_loops<K>()).log;

}  // namespace sectile::tell
