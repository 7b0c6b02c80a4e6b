// How large a workspace has to be.
#pragma once
#include <sectile/dsl/launch/family.hpp>
#include <sectile/dsl/proofs/verified.hpp>

namespace sectile {

namespace detail {

/// The arguments of a launch without their types.
template <class... Arguments>
std::size_t workspace_bytes(const plan& p, const Arguments&... arguments) {
  tensor_facts facts[max_operands]{};
  int n = 0;
  const auto take = [&](const auto& a) {
    if constexpr (requires { facts_of(a).extent; }) facts[n] = facts_of(a);
    ++n;
  };
  (take(arguments), ...);
  return sectile::workspace_bytes(p, facts);
}

}  // namespace detail

/// Bytes of the workspace that a launch of K needs for these operands, whose memory may be to come; 0: none. Of a
/// family, that the member needs which an H200 would be given if memory did not matter: a launch that is given less
/// takes the best of the others. Throws launch_error if sizes are impossible.
template <class K, class... Arguments>
std::size_t workspace_bytes(const Arguments&... arguments) {
  if constexpr (is_family<K>) {
    constexpr std::uint64_t any = std::uint64_t{1} << 62;
    const int picked = choose(family_facts_of<K>, sizes_of<K>(arguments...), constants_of("NVIDIA H200"), any).member;
    std::size_t bytes = 0;
    [&]<int... I>(std::integer_sequence<int, I...>) {
      ((I == picked ? void(bytes = workspace_bytes<member<K, I>>(arguments...)) : void()), ...);
    }
    (member_numbers<K>{});
    return bytes;
  } else {
    static_assert(verified<K>);
    if constexpr (can_run<K>()) {
      constexpr violation v = check_arguments<K, Arguments...>();
      static_assert(decltype(reason<v>())::verified);
      if constexpr (v.holds()) return detail::workspace_bytes(plan_of<K>, arguments...);
    }
    return 0;
  }
}

}  // namespace sectile
