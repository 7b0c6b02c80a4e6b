// Launching a kernel on the GPU.
#pragma once
#include <atomic>
#include <tuple>

#include <sectile/dsl/hopper/kernel.hpp>
#include <sectile/dsl/launch/architectures.hpp>
#include <sectile/dsl/launch/device.hpp>
#include <sectile/dsl/proofs/verified.hpp>
#if SECTILE_BEFORE_HOPPER
#include <sectile/dsl/launch/portable.hpp>
#endif

namespace sectile {

namespace hopper {

/// Clusters of kernel K that fit on the device at once. Also raises the kernel's shared-memory limit. Asked once per
/// device; launches from many threads are fine.
template <class K>
int resident_clusters(int device) {
  constexpr int devices = 64;
  static std::atomic<int> known[devices]{};
  if (device < devices)
    if (const int clusters = known[device].load(std::memory_order_acquire)) return clusters;
  constexpr int cluster = plan_of<K>.how.cluster.size();
  check_cuda(cudaFuncSetAttribute(run<K>, cudaFuncAttributeMaxDynamicSharedMemorySize, plan_of<K>.shared_bytes),
             "reserving shared memory");
  cudaLaunchAttribute attribute{};
  attribute.id = cudaLaunchAttributeClusterDimension;
  attribute.val.clusterDim = {cluster, 1, 1};
  cudaLaunchConfig_t config{};
  config.gridDim = dim3(cluster);
  config.blockDim = dim3(plan_of<K>.threads);
  config.dynamicSmemBytes = plan_of<K>.shared_bytes;
  config.attrs = &attribute;
  config.numAttrs = 1;
  int clusters = 0;
  check_cuda(cudaOccupancyMaxActiveClusters(&clusters, run<K>, &config), "asking how many clusters fit");
  if (clusters < 1) throw launch_error("no cluster of " + std::to_string(cluster) + " CTAs fits on this device");
  if (device < devices) known[device].store(clusters, std::memory_order_release);
  return clusters;
}

/// Runs kernel K through TMA and wgmma.
template <class K, class... Arguments>
void start(cudaStream_t stream, const Arguments&... arguments) {
  static_assert(verified<K>);
  const int device = hopper::check_device();
  const auto parameters = prepare<K, hopper::machine>(hopper::encode_map, arguments...);
  const tensor_facts t[max_operands] = {facts_or_nothing(arguments)...};
  constexpr const plan& p = plan_of<K>;
  for (int o = 0; o < p.operands; ++o)
    if (p.operand[o].facts.kind != operand_kind::scalar) {
      hopper::check_pointer(p.operand[o].facts, t[o].data, device);
      if (p.operand[o].facts.sparse) hopper::check_pointer(p.operand[o].facts, t[o].metadata, device);
    }

  const int resident = hopper::resident_clusters<K>(device);
  const int items = parameters.work.count;
  const int clusters = p.how.persistent && items > resident ? resident : items;
  cudaLaunchAttribute attribute{};
  attribute.id = cudaLaunchAttributeClusterDimension;
  attribute.val.clusterDim = {static_cast<unsigned>(p.how.cluster.size()), 1, 1};
  cudaLaunchConfig_t config{};
  config.gridDim = dim3(static_cast<unsigned>(clusters * p.how.cluster.size()));
  config.blockDim = dim3(static_cast<unsigned>(p.threads));
  config.dynamicSmemBytes = static_cast<std::size_t>(p.shared_bytes);
  config.stream = stream;
  config.attrs = &attribute;
  config.numAttrs = 1;
  hopper::check_cuda(cudaLaunchKernelEx(&config, hopper::run<K>, parameters), "launching the kernel");
}

}  // namespace hopper

/// Runs kernel K on the current device, on `stream`. Arguments as the kernel's operands: tensor views of device memory,
/// and scalars. Returns when the launch is queued. Throws launch_error, and then nothing was launched. A program compiled
/// for GPUs before Hopper runs the kernel there through nvcuda::wmma.
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
  [&]<std::size_t... I>(std::index_sequence<I...>) {
    launch_on<K>(stream, std::get<I>(all)...);
  }(std::make_index_sequence<operands>{});
}

}  // namespace sectile
