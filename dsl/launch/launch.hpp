// Launching a kernel on the GPU. A file with a kernel compiles little of it: what the kernel is, as data; the rest is
// compiled once, in the library sectile_launch.
#pragma once
#include <sectile/dsl.hpp>  // first: what a compiler lists of the way to a header is short then

#include <sectile/dsl/hopper/kernel.hpp>
#include <sectile/dsl/launch/architectures.hpp>
#include <sectile/dsl/launch/error.hpp>
#include <sectile/dsl/launch/family.hpp>
#include <sectile/dsl/launch/finish.hpp>
#include <sectile/dsl/launch/multiprocessors.hpp>
#include <sectile/dsl/launch/other_members.hpp>
#include <sectile/dsl/launch/start.hpp>
#include <sectile/dsl/launch/workspace_bytes.hpp>
#if SECTILE_BEFORE_HOPPER
#include <sectile/dsl/launch/portable.hpp>
#endif

namespace sectile {

namespace hopper {

/// The __global__ function of kernel K. A kernel for another machine specialises this.
template <class K>
struct launch_method {
  static const void* function() { return reinterpret_cast<const void*>(run<K>); }
  static constexpr decltype(device_kernel::queue) queue = nullptr;
};

template <class K>
inline number_per_context resident_clusters{};

/// Runs kernel K through TMA and wgmma.
template <class K, class... Arguments>
void start(cudaStream_t stream, const Arguments&... arguments) {
  using method = launch_method<K>;
  static_assert(plan_of<K>.refusal.what != rule::function_is_for_the_host_alone,
                "a map(), mask() or reduction is given a function for the host alone: declare it constexpr, or, if it "
                "is __host__ __device__, write host_device(f) for f");
#ifdef __CUDA_ARCH__  // this pass has to see which kernel is launched, and no more
  static_cast<void>(method::function());
#else
  launch_arguments<K, tensor_map> all(arguments...);
  const device_kernel kernel{&launchable_of<K>, method::function(), method::queue, &resident_clusters<K>};
  start(kernel, all.given, all.places, &all.parameters, known_path_of<K>, stream);
#endif
}

template <class K, class... Arguments>
void start_proven(cudaStream_t stream, const Arguments&... arguments) {
  static_assert(verified<K>);
  if constexpr (runnable<K>) {  // one message is enough
    constexpr violation v = check_arguments<K, Arguments...>();
    static_assert(decltype(reason<v>())::verified);
    if constexpr (v.holds()) start<K>(stream, arguments...);
  }
}

/// Starts the member of family P that is best for these arguments.
template <class P, class... Arguments, int... I>
void start_member(std::integer_sequence<int, I...>, cudaStream_t stream, const Arguments&... arguments) {
  static_assert(verified<P>);
  constexpr violation v = check_arguments<member<P, 0>, Arguments...>();  // one message is enough
  static_assert(decltype(reason<v>())::verified);
  if constexpr (v.holds()) {
    using starter = void (*)(cudaStream_t, const Arguments&...);
    static constexpr starter members[] = {start_proven<member<P, I>, Arguments...>...};
    start_best_member<P>(
        current_constants(), [&](int i) { members[i](stream, arguments...); }, arguments...);
  }
}

}  // namespace hopper

#if SECTILE_BEFORE_HOPPER
/// start_before_hopper() without what is behind the operands: no split, no workspace.
template <class K, class... Arguments>
void start_on_operands(cudaStream_t stream, const Arguments&... arguments) {
  [&]<std::size_t... I>(std::index_sequence<I...>) {
    portable::start_before_hopper<K>(stream, detail::argument_at<I>(arguments...)...);
  }
  (std::make_index_sequence<sizeof...(Arguments) - ends_with_workspace<Arguments...>>{});
}
#endif

/// Runs kernel K on the current device, on `stream`; of a family the member that is best for the sizes. Arguments as
/// the kernel's operands: tensor views of device memory, and scalars; behind them a workspace(pointer, bytes), if the
/// kernel needs one (workspace_bytes<K>(arguments ..) says how many bytes, 0 for most) or the family has a member that
/// does, which is taken only if there is enough. Returns when the launch is queued. Throws
/// launch_error, and then nothing was launched; or device_error, if earlier work has made the device unusable. A
/// program compiled for GPUs before Hopper runs the kernel (of a family the first that does not swap) there through
/// nvcuda::wmma.
template <class K, class... Arguments>
void launch_on(cudaStream_t stream, const Arguments&... arguments) {
  stream = hopper::default_stream_of_file(stream);
#if SECTILE_BEFORE_HOPPER
  if (!portable::hopper_code_runs_here()) {
    if constexpr (is_family<K>)
      return start_on_operands<member<K, first_upright_member<K>()>>(stream, arguments...);
    else
      return start_on_operands<K>(stream, arguments...);
  }
#endif
  static_assert(SECTILE_BEFORE_HOPPER || architectures::has_hopper(),
                "this program is compiled for no GPU that Sectile knows: add sm_90a, or sm_80 for older ones");
  if constexpr (!architectures::has_hopper()) {
  } else if constexpr (is_family<K>) {
    hopper::start_member<K>(member_numbers<K>{}, stream, arguments...);
  } else {
    hopper::start_proven<K>(stream, arguments...);
  }
}

/// launch<K>(A, B, C) runs on the default stream, launch<K>(A, B, C, stream) on that one; a workspace comes before the
/// stream: launch<K>(A, B, C, workspace(memory, bytes), stream).
template <class K, class... Arguments>
void launch(const Arguments&... arguments) {
  constexpr std::size_t operands = operand_count<K>, given = sizeof...(Arguments);
  static_assert(given >= operands && given <= operands + 2,
                "launch takes one argument per operand, and possibly a workspace and a stream");
  if constexpr (given == operands || (given == operands + 1 && ends_with_workspace<Arguments...>))
    launch_on<K>(cudaStream_t{}, arguments...);
  else if constexpr (given > operands && given <= operands + 2)
    [&]<std::size_t... I>(std::index_sequence<I...>) {
      static_assert(std::is_convertible_v<detail::type_at<given - 1, Arguments...>, cudaStream_t>,
                    "the last argument of a launch is a stream, behind the workspace if there is one");
      launch_on<K>(detail::argument_at<given - 1>(arguments...), detail::argument_at<I>(arguments...)...);
    }
  (std::make_index_sequence<given - 1>{});
}

}  // namespace sectile
