// Launching a kernel on the GPU in a portable reading: on GPUs before Hopper, or on Hopper for comparison.
#pragma once
#include <atomic>
#include <tuple>

#include <sectile/dsl/launch/architectures.hpp>
#include <sectile/dsl/launch/device.hpp>
#include <sectile/dsl/launch/portable_checks.hpp>
#include <sectile/dsl/portable/cuda_kernel.hpp>

namespace sectile {

namespace portable {

/// The current device.
struct device_facts {
  int number = 0;
  int capability = 0;  // 80 for sm_80
};
inline device_facts current_device() {
  device_facts d;
  int count = 0;
  const cudaError_t found = cudaGetDeviceCount(&count);
  if (found != cudaSuccess || count == 0) {
    cudaGetLastError();
    throw launch_error("there is no usable NVIDIA GPU on this machine; run on the model instead");
  }
  hopper::check_cuda(cudaGetDevice(&d.number), "asking for the current device");
  d.capability = 10 * hopper::attribute(cudaDevAttrComputeCapabilityMajor, d.number) +
                 hopper::attribute(cudaDevAttrComputeCapabilityMinor, d.number);
  return d;
}

/// Throws unless the current device runs what this program has for a kernel that needs sm_`least`. Returns its number.
inline int check_device(int least) {
  const device_facts d = current_device();
  const std::string who = "device " + std::to_string(d.number) + " is sm_" + std::to_string(d.capability);
  if (d.capability < least)
    throw launch_error(who + "; the types of this kernel need sm_" + std::to_string(least) + " or newer");
  if (architectures::newest_for(d.capability) < least)
    throw launch_error(who + "; this program is not compiled for it: add sm_" + std::to_string(d.capability));
  return d.number;
}

/// Lets the kernel use as much shared memory as it needs, once per device.
template <class K, class How>
void reserve_shared_memory(int device) {
  constexpr int devices = 64, bytes = portable_plan_of<K, How>.shared_bytes;
  static std::atomic<bool> done[devices]{};
  if (device < devices && done[device].load(std::memory_order_acquire)) return;
  const int most = hopper::attribute(cudaDevAttrMaxSharedMemoryPerBlockOptin, device);
  if (bytes > most)
    throw launch_error("the tiles of this kernel take " + std::to_string(bytes) + " bytes of shared memory, device " +
                       std::to_string(device) + " has " + std::to_string(most) + " for a CTA; use smaller tiles");
  hopper::check_cuda(cudaFuncSetAttribute(run<K, How>, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes),
                     "reserving shared memory");
  if (device < devices) done[device].store(true, std::memory_order_release);
}

/// Precondition: K has the reading.
template <class K, class How, class... Arguments>
void start_readable(cudaStream_t stream, const Arguments&... arguments) {
  constexpr int threads = portable_plan_of<K, How>.threads, bytes = portable_plan_of<K, How>.shared_bytes;
  constexpr int least = portable_plan_of<K, How>.architecture;
  static_assert(
      architectures::newest() >= least,
      "this program is compiled for no architecture that has the kernel's types: bf16 and tf32 need sm_80, s8 and "
      "u8 sm_72");
  const int device = check_device(least);
  const auto all = fill_in<K, How>(arguments...);
  for (int o = 0; o < operand_count<K>; ++o) {
    const operand_facts f = operand_table_of<K>().at[o];
    if (f.kind != operand_kind::scalar) hopper::check_pointer(f, all.place[o].data, device);
  }
  reserve_shared_memory<K, How>(device);
  run<K, How><<<static_cast<unsigned>(all.count), threads, bytes, stream>>>(all);
  hopper::check_cuda(cudaGetLastError(), "launching the kernel");
}

template <class K, class How, class... Arguments>
void start(cudaStream_t stream, const Arguments&... arguments) {
  static_assert(readable<K, How>);
  if constexpr (can_read<K, How>) start_readable<K, How>(stream, arguments...);  // one message is enough
}

/// What launch<K>() does in a program that has code for GPUs before Hopper, unless the device is a Hopper and the
/// program has code for that as well. A kernel without a portable reading does not compile, or, where it has a reading
/// on Hopper, is refused when it is launched elsewhere.
template <class K, class... Arguments>
void start_before_hopper(cudaStream_t stream, const Arguments&... arguments) {
  if constexpr (can_read<K, wmma<>> || !architectures::has_hopper())
    start<K, wmma<>>(stream, arguments...);
  else
    throw launch_error("this kernel needs a Hopper GPU: " + std::string(portable_plan_of<K, wmma<>>.refusal.says.text));
}
inline bool hopper_code_runs_here() { return architectures::has_hopper() && current_device().capability == 90; }

}  // namespace portable

/// Runs kernel K on the current device in the reading How: portable::wmma<> (or <32, 8>, <8, 32>) or portable::simt.
/// Arguments as for launch<K>: one per operand, and possibly a stream. Throws launch_error, and then nothing was
/// launched.
template <class K, class How = portable::wmma<>, class... Arguments>
void launch_portable(const Arguments&... arguments) {
  constexpr std::size_t operands = operand_count<K>;
  static_assert(sizeof...(Arguments) == operands || sizeof...(Arguments) == operands + 1,
                "launch_portable takes one argument per operand, and possibly a stream");
  const auto all = std::tie(arguments...);
  cudaStream_t stream{};
  if constexpr (sizeof...(Arguments) > operands) stream = std::get<operands>(all);
  [&]<std::size_t... I>(std::index_sequence<I...>) { portable::start<K, How>(stream, std::get<I>(all)...); }
  (std::make_index_sequence<operands>{});
}

}  // namespace sectile
