// How large a workspace has to be.
#pragma once
#include <sectile/dsl/launch/other_members.hpp>
#include <sectile/dsl/launch/prepare.hpp>
#include <sectile/dsl/proofs/verified.hpp>

namespace sectile {

/// Bytes of the workspace that a launch of K needs for these operands, whose memory may be to come; 0: none. Of a
/// family, that the member needs which an H200 would be given if memory did not matter: a launch that is given less
/// takes the best of the others. Throws launch_error if sizes are impossible.
template <class K, class... Arguments>
std::size_t workspace_bytes(const Arguments&... arguments) {
  if constexpr (is_family<K>) {
    const gpu_constants& gpu = constants_of("NVIDIA H200");
    const int picked = choose(family_facts_of<K>, sizes_of<K>(arguments...), gpu, any_workspace).member;
    std::size_t bytes = 0;
    [&]<int... I>(std::integer_sequence<int, I...>) {
      ((I == picked ? void(bytes = workspace_bytes<member<K, I>>(arguments...)) : void()), ...);
    }
    (member_numbers<K>{});
    return bytes;
  } else {
    static_assert(verified<K> != is_in_error<K>());
    if constexpr (runnable<K>) {
      constexpr violation v = check_arguments<K, Arguments...>();
      static_assert(decltype(reason<v>())::verified);
      if constexpr (v.holds()) {
        argument_facts given = facts_of_all(arguments...);
        as_the_body_has_them<K>(given.tensor);
        return workspace_bytes(plan_of<K>, given.tensor);
      }
    }
    return 0;
  }
}

/// Without the kernel.
template <class First>
constexpr violation no_kernel_named() {
  return refuse(rule::argument_does_not_fit,
                "workspace_bytes(..) is told which kernel the operands are for: workspace_bytes<kernel>(operands ..)");
}
template <class First, class... More>
requires(is_view<First, tensor_view> || is_view<First, sparse_view>) std::size_t
    workspace_bytes(const First&, const More&...) {
  static_assert(decltype(reason<no_kernel_named<First>()>())::verified);
  return 0;
}

}  // namespace sectile
