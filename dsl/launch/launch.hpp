// Launching a kernel on the GPU.
#pragma once
#include <tuple>

#include <sectile/dsl/hopper/kernel.hpp>
#include <sectile/dsl/launch/architectures.hpp>
#include <sectile/dsl/launch/finish.hpp>
#include <sectile/dsl/proofs/verified.hpp>
#if SECTILE_BEFORE_HOPPER
#include <sectile/dsl/launch/portable.hpp>
#endif

namespace sectile {

namespace hopper {

/// How kernel K reaches the GPU. A kernel for another machine specialises this.
template <class K>
struct launch_method {
  using machine = hopper::machine;
  static const void* kernel() { return reinterpret_cast<const void*>(run<K>); }
  /// Queues the kernel on config.stream, or runs it to its end, and returns CUDA's answer.
  static cudaError_t queue(const cudaLaunchConfig_t& config, const kernel_parameters<K, machine>& parameters) {
    return cudaLaunchKernelEx(&config, run<K>, parameters);
  }
};

template <class K>
inline constexpr kernel_shape shape_of{plan_of<K>.threads, plan_of<K>.shared_bytes, plan_of<K>.how.cluster.size()};

/// Clusters of kernel K that fit on the device at once, with its shared memory reserved: asked once per context.
template <class K>
struct resident_clusters {
  static number_per_context& known() {
    static number_per_context numbers;
    return numbers;
  }
  static int ask(const launch_place& at) {
    const outside_of_captures pause;
    const void* const kernel = launch_method<K>::kernel();
    reserve_shared_memory(kernel, shape_of<K>, at.device);
    const int clusters = count_resident_clusters(kernel, shape_of<K>, at.device);
    known().keep(at, clusters);
    return clusters;
  }
};

/// Runs kernel K through TMA and wgmma.
template <class K, class... Arguments>
void start(cudaStream_t stream, const Arguments&... arguments) {
  static_assert(verified<K>);
  using method = launch_method<K>;
  constexpr const plan& p = plan_of<K>;
  const launch_place at = place_of(check_device(), stream);
  const auto parameters = prepare<K, typename method::machine>(encode_map, arguments...);
  const tensor_facts t[max_operands] = {facts_or_nothing(arguments)...};
  for (int o = 0; o < p.operands; ++o) check_memory(p.operand[o].facts, t[o], at);

  const int known = resident_clusters<K>::known().find(at), resident = known ? known : resident_clusters<K>::ask(at);
  const int items = parameters.work.count;
  const int clusters = p.how.persistent && items > resident ? resident : items;
  const launch_config config(shape_of<K>, clusters * p.how.cluster.size(), stream);
  queue_launch(record_of<K>(at, t), stream, [&] {
    return queue_prepared(
        known > 0, [&] { return method::queue(config.all, parameters); }, [&] { resident_clusters<K>::ask(at); });
  });
}

}  // namespace hopper

/// Runs kernel K on the current device, on `stream`. Arguments as the kernel's operands: tensor views of device memory,
/// and scalars. Returns when the launch is queued. Throws launch_error, and then nothing was launched; or device_error,
/// if earlier work has made the device unusable. A program compiled for GPUs before Hopper runs the kernel there
/// through nvcuda::wmma.
template <class K, class... Arguments>
void launch_on(cudaStream_t stream, const Arguments&... arguments) {
#if SECTILE_BEFORE_HOPPER
  if (!portable::hopper_code_runs_here()) return portable::start_before_hopper<K>(stream, arguments...);
#endif
  static_assert(SECTILE_BEFORE_HOPPER || architectures::has_hopper(),
                "this program is compiled for no GPU that Sectile knows: add sm_90a, or sm_80 for older ones");
  if constexpr (architectures::has_hopper()) hopper::start<K>(stream, arguments...);
}

/// launch<K>(A, B, C) runs on the default stream, launch<K>(A, B, C, stream) on that one.
template <class K, class... Arguments>
void launch(const Arguments&... arguments) {
  constexpr std::size_t operands = operand_count<K>;
  static_assert(sizeof...(Arguments) == operands || sizeof...(Arguments) == operands + 1,
                "launch takes one argument per operand, and possibly a stream");
  const auto all = std::tie(arguments...);
  cudaStream_t stream{};
  if constexpr (sizeof...(Arguments) > operands) stream = std::get<operands>(all);
  [&]<std::size_t... I>(std::index_sequence<I...>) { launch_on<K>(stream, std::get<I>(all)...); }
  (std::make_index_sequence<operands>{});
}

}  // namespace sectile
