// A kernel as a launch sees it: data, which code reads that is compiled once for all kernels.
#pragma once
#include <sectile/dsl/launch/path_reading.hpp>

namespace sectile {

namespace detail {

/// "... [with K = the::type; ...]" (g++) or "... [K = the::type]" (clang++).
template <class K>
constexpr const char* signature() {
  return __PRETTY_FUNCTION__;
}

}  // namespace detail

/// What a launch has to know of a kernel.
struct launchable {
  const plan* planned = nullptr;
  const char* signature = "";  // names its type
  /// read_path of the kernel.
  void (*read)(trace_log& log, const void* arguments, const tile_coordinates<max_rank>& tile) = nullptr;
};

template <class K>
inline constexpr launchable launchable_of{&plan_of<K>, detail::signature<K>(), read_path<K>};

}  // namespace sectile
