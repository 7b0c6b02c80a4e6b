// One of several files with the launches of a family's members: those whose number leaves Part when it is divided by
// Parts. The host's compiler proves the members, nvcc compiles them.
#pragma once

#include <sectile/dsl/operator/typed_arguments.hpp>
#include <utility>

#include "tool/kernels/member_launchers.hpp"
#ifdef __CUDACC__
#include <sectile/dsl/launch/launch.hpp>
#else
#include <sectile/dsl/proofs/verified.hpp>
#endif

namespace sectile::tool {

#ifdef __CUDACC__
template <class P, int I>
void launch_member(std::span<const argument> on_device, [[maybe_unused]] const workspace& room, void* stream) {
  using K = member<P, I>;
  const auto on = static_cast<cudaStream_t>(stream);
  with_typed_arguments<K>(on_device, [&](const auto&... typed) {
    if constexpr (needs_workspace(plan_of<K>))
      launch_on<K>(on, typed..., room);
    else
      launch_on<K>(on, typed...);
  });
}
#else
template <class P, int I>
void launch_member(std::span<const argument>, const workspace&, void*) {
  static_assert(verified<member<P, I>>);
}
#endif

/// Puts them into their places.
template <class P, int Part, int Parts>
void add_launchers(std::vector<member_launcher>& to) {
  to.resize(static_cast<std::size_t>(count_configurations<P>()));
  [&]<int... I>(std::integer_sequence<int, I...>) {
    ((to[static_cast<std::size_t>(Part + I * Parts)] = launch_member<P, Part + I * Parts>), ...);
  }
  (std::make_integer_sequence<int, (count_configurations<P>() - Part + Parts - 1) / Parts>{});
}

}  // namespace sectile::tool
