// verified<K>: every proof holds for kernel K. A launch requires it, and a kernel's file asserts it.
//
// Each proof is a constant of its own: compilers limit the work of one constant expression, and a kernel that fails the
// first proof should not pay for the last. nvcc compiles a file twice; the proofs run in the host's pass, unless the build
// defines SECTILE_PROVEN for a file whose kernels another compilation proves.
#pragma once
#include <sectile/dsl/proofs/alignment.hpp>
#include <sectile/dsl/proofs/banks.hpp>
#include <sectile/dsl/proofs/budgets.hpp>
#include <sectile/dsl/proofs/protocol.hpp>
#include <sectile/dsl/proofs/reachability.hpp>

namespace sectile {

/// The first run of the protocol that fails for K, or `holds`.
template <class K, int... Run>
constexpr violation protocol_verdict_of(std::integer_sequence<int, Run...>) {
  violation v{};
  ((v.holds() ? void(v = protocol::protocol_verdict<K, Run>) : void()), ...);
  return v;
}
template <class K>
inline constexpr violation legality_verdict = plan_of<K>.refusal;  // found while planning
template <class K>
inline constexpr violation reachability_verdict = check_reachability(plan_of<K>);
template <class K>
inline constexpr violation alignment_verdict = check_alignment(plan_of<K>);
template <class K>
inline constexpr violation budgets_verdict = check_budgets(plan_of<K>);
template <class K>
inline constexpr violation protocol_verdict =
    protocol_verdict_of<K>(std::make_integer_sequence<int, protocol::protocol_runs(plan_of<K>)>{});
template <class K>
inline constexpr violation banks_verdict = check_banks(plan_of<K>);

template <class K>
constexpr violation prove() {
  if constexpr (!legality_verdict<K>.holds())
    return legality_verdict<K>;
  else if constexpr (!alignment_verdict<K>.holds())
    return alignment_verdict<K>;
  else if constexpr (!budgets_verdict<K>.holds())
    return budgets_verdict<K>;
  else if constexpr (!reachability_verdict<K>.holds())
    return reachability_verdict<K>;
  else if constexpr (!banks_verdict<K>.holds())
    return banks_verdict<K>;
  else
    return protocol_verdict<K>;
}

/// Why K is refused, or `holds`.
template <class K>
inline constexpr violation verdict_of = prove<K>();

/// Instantiated only to fail: the compiler's message names the rule and, where it prints text, the sentence.
template <rule Rule, sentence Says>
constexpr bool kernel_is_refused() {
  static_assert(Rule == rule::holds, "kernel_is_refused: Rule and Says tell why");
  return false;
}

template <class K>
constexpr bool verify() {
#if defined(__CUDA_ARCH__) || defined(SECTILE_PROVEN)
  return true;  // another pass of this file has proven it
#else
  if constexpr (verdict_of<K>.holds())
    return true;
  else
    return kernel_is_refused<verdict_of<K>.what, verdict_of<K>.says>();
#endif
}

/// Whether all proofs hold for kernel K. If not, this does not compile, and the message says why.
template <class K>
inline constexpr bool verified = verify<K>();

}  // namespace sectile
