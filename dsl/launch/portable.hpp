// Launching a kernel on the GPU in a portable reading: on GPUs before Hopper, or on Hopper for comparison.
#pragma once
#include <sectile/dsl/launch/architectures.hpp>
#include <sectile/dsl/launch/device.hpp>
#include <sectile/dsl/launch/finish.hpp>
#include <sectile/dsl/launch/portable_checks.hpp>
#include <sectile/dsl/portable/cuda_kernel.hpp>

namespace sectile {

namespace portable {

/// Throws unless the current device runs what this program has for a kernel that needs sm_`least`. Returns its number.
inline int check_device(int least) {
  const hopper::device_facts d = hopper::current_device();
  const std::string who = "device " + std::to_string(d.number) + " is sm_" + std::to_string(d.capability);
  if (d.capability < least) throw launch_error(who, "; the types of this kernel need sm_", least, " or newer");
  if (architectures::newest_for(d.capability) < least)
    throw launch_error(who, "; this program is not compiled for it: add sm_", d.capability);
  return d.number;
}

/// Lets the kernel use as much shared memory as it needs.
template <class K, class How>
struct shared_memory {
  static hopper::number_per_context& reserved() {
    static hopper::number_per_context contexts;
    return contexts;
  }
  static void reserve(const hopper::kernel_shape& shape, const launch_place& at) {
    const hopper::outside_of_captures pause;
    hopper::reserve_shared_memory(reinterpret_cast<const void*>(run<K, How>), shape, at.device);
    reserved().keep(at.device, at.context, 1);
  }
};

template <class K, class How>
inline constexpr launchable launchable_as{&portable_plan_of<K, How>.program, sectile::detail::signature<K>(), nullptr};

/// Precondition: K has the reading.
template <class K, class How, class... Arguments>
void start_readable(cudaStream_t stream, const Arguments&... arguments) {
  constexpr hopper::kernel_shape shape{portable_plan_of<K, How>.threads, portable_plan_of<K, How>.shared_bytes};
  constexpr int least = portable_plan_of<K, How>.architecture;
  static_assert(
      architectures::newest() >= least,
      "this program is compiled for no architecture that has the kernel's types: bf16 and tf32 need sm_80, s8 and "
      "u8 sm_72");
  const launch_place at = hopper::place_of(check_device(least), stream);
  given_operands given{};
  const auto all = fill_in<K, How>(given, arguments...);
  const plan& p = portable_plan_of<K, How>.program;
  for (int o = 0; o < p.operands; ++o) hopper::check_memory(p.operand[o].facts, given.tensor[o], at);
  using memory = shared_memory<K, How>;
  const bool known = memory::reserved().find(at.device, at.context) != 0;
  if (!known) memory::reserve(shape, at);
  const hopper::launch_config config(shape, all.count, stream);
  hopper::fill_combined(p, given.tensor, stream);
  hopper::queue_launch(hopper::record_of(launchable_as<K, How>, at, given.tensor), stream, [&] {
    return hopper::queue_prepared(
        known, [&] { return cudaLaunchKernelEx(&config.all, run<K, How>, all); }, [&] { memory::reserve(shape, at); });
  });
}

template <class K, class How, class... Arguments>
void start(cudaStream_t stream, const Arguments&... arguments) {
  static_assert(readable<K, How>);
  if constexpr (can_read<K, How>) {  // one message is enough
    constexpr violation v = check_arguments<K, Arguments...>();
    static_assert(decltype(reason<v>())::verified);
    if constexpr (v.holds()) start_readable<K, How>(stream, arguments...);
  }
}

/// What launch<K>() does in a program that has code for GPUs before Hopper, unless the device is a Hopper and the
/// program has code for that as well. A kernel without a portable reading does not compile, or, where it has a reading
/// on Hopper, is refused when it is launched elsewhere.
template <class K, class... Arguments>
void start_before_hopper(cudaStream_t stream, const Arguments&... arguments) {
  if constexpr (can_read<K, wmma<>> || !architectures::has_hopper())
    start<K, wmma<>>(stream, arguments...);
  else
    throw launch_error("this kernel needs a Hopper GPU: ", portable_plan_of<K, wmma<>>.refusal.says.text);
}
inline bool hopper_code_runs_here() { return architectures::has_hopper() && hopper::current_device().capability == 90; }

}  // namespace portable

/// Runs kernel K on the current device in the reading How: portable::wmma<> (or <32, 8>, <8, 32>) or portable::simt.
/// Arguments as for launch<K>: one per operand, and possibly a stream. Throws launch_error, and then nothing was
/// launched.
template <class K, class How = portable::wmma<>, class... Arguments>
void launch_portable(const Arguments&... arguments) {
  constexpr std::size_t operands = operand_count<K>;
  static_assert(sizeof...(Arguments) == operands || sizeof...(Arguments) == operands + 1,
                "launch_portable takes one argument per operand, and possibly a stream");
  if constexpr (sizeof...(Arguments) == operands)
    portable::start<K, How>(hopper::default_stream_of_file(nullptr), arguments...);
  else
    [&]<std::size_t... I>(std::index_sequence<I...>) {
      const cudaStream_t stream = hopper::default_stream_of_file(detail::argument_at<operands>(arguments...));
      portable::start<K, How>(stream, detail::argument_at<I>(arguments...)...);
    }
    (std::make_index_sequence<operands>{});
}

}  // namespace sectile
