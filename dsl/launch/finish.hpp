// Waiting for launches, and tracing a failure on the device to the launch that caused it.
//
// A kernel that goes wrong is noticed later, by whatever CUDA call happens to come next. finish(stream) waits and
// throws a device_error that names the launches on the stream since the last finish. To know which launch it was, let
// each wait for itself: SECTILE_LAUNCH_BLOCKING=1 in the environment, or wait_for_each_launch(true).
#pragma once
#include <cstdlib>

#include <sectile/dsl/launch/device.hpp>

namespace sectile {

namespace detail {

inline std::atomic<bool>& launches_wait() {
  static std::atomic<bool> on = [] {
    const char* asked = std::getenv("SECTILE_LAUNCH_BLOCKING");
    return asked && *asked && std::string_view(asked) != "0";
  }();
  return on;
}

}  // namespace detail

/// Whether every launch from now on, by any thread, returns only when its kernel has finished, and throws a
/// device_error that names it if it failed. While a stream captures a graph nothing waits. At the start of the program
/// it is what SECTILE_LAUNCH_BLOCKING in the environment says.
inline void wait_for_each_launch(bool on) { detail::launches_wait() = on; }

/// Waits for all work on a stream of the current device. Throws a device_error if work on the device has failed: it
/// names the launches since the last finish, those of this stream first. Throws a launch_error if there is nothing to
/// wait for because the stream captures a graph.
inline void finish(cudaStream_t stream = nullptr) {
  const launch_place at = hopper::place_of(hopper::current_device().number, stream);
  if (at.capturing)
    throw launch_error("finish: " + stream_text(at) +
                       " captures a graph, whose kernels have not begun; end the capture and launch the graph first");
  const std::uint64_t latest = history().latest();
  if (const cudaError_t e = cudaStreamSynchronize(stream); e != cudaSuccess)
    hopper::fail(e, "waiting for " + stream_text(at), at, cudaGetErrorString(e));
  history().mark_finished(at, latest);
}

namespace hopper {

/// Queues a launch by calling queue(), which returns CUDA's answer, and writes it down; waits for it if launches do.
template <class Queue>
void queue_launch(launch_record r, cudaStream_t stream, const Queue& queue) {
  const bool waits = detail::launches_wait().load(std::memory_order_relaxed) && !r.at.capturing;
  if (waits) finish(stream);  // so that a failure from now on is this launch's
  if (const cudaError_t e = queue(); e != cudaSuccess)
    fail(e, "launching " + r.describe(r.sizes), r.at, cudaGetErrorString(e));
  r.number = history().add(r);
  if (!waits) return;
  const cudaError_t e = cudaStreamSynchronize(stream);
  if (loses_context(e)) {
    cudaGetLastError();
    throw device_error(text_of(r) + ", has failed on device " + std::to_string(r.at.device) + ": " + trouble_text(e));
  }
  check_cuda(e, "waiting for the launch");
  history().mark_finished(r.at, r.number);
}

template <class K>
launch_record record_of(const launch_place& at, const tensor_facts (&t)[max_operands]) {
  launch_record r{};
  r.at = at;
  r.describe = describe_launch<K>;
  for (int o = 0; o < operand_count<K>; ++o)
    for (int d = 0; d < t[o].rank; ++d) r.sizes.extent[o][d] = static_cast<std::int32_t>(t[o].extent[d]);
  return r;
}

}  // namespace hopper

}  // namespace sectile
