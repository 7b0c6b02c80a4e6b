// checked<K>: kernel K for the debug machine, for the day when something gets through the proofs.
//
// It is a kernel like any other: the same body, configuration and steps, but its pieces of shared memory lie apart
// with guards between them. The proofs and the model take it as they take K. On a GPU, launch<checked<K>>() runs it on
// a machine that watches (dsl/hopper/checked.hpp): it waits for the kernel, and throws device_fault with a report of
// what went wrong.
#pragma once
#include <sectile/dsl/plan/guards.hpp>

namespace sectile {

template <class K>
struct checked : K {
  static constexpr bool is_checked = true;
};

template <class K>
inline constexpr plan plan_of<checked<K>> = with_guards(plan_of<K>);

template <class K>
concept checked_kernel = K::is_checked;

/// How a checked kernel runs. `seconds` is how long a single wait may last; whoever shares the GPU counts, too.
struct checked_options {
  double seconds = 2;
};

}  // namespace sectile

#ifdef __CUDACC__
#include <sectile/dsl/launch/checked_device.hpp>
#endif
