// Waiting for launches, and tracing a failure on the device to the launch that caused it.
//
// A kernel that goes wrong is noticed later, by whatever CUDA call happens to come next. finish(stream) waits and
// throws a device_error that names the launches on the stream since the last finish. To know which launch it was, let
// each wait for itself: SECTILE_LAUNCH_BLOCKING=1 in the environment, or wait_for_each_launch(true).
#pragma once
#include <cuda_runtime.h>

namespace sectile {

namespace hopper {

/// The stream that a null pointer means in this file, which may be compiled for a default stream of each thread.
inline cudaStream_t default_stream_of_file(cudaStream_t stream) {
#ifdef CUDA_API_PER_THREAD_DEFAULT_STREAM
  return stream == nullptr ? cudaStreamPerThread : stream;
#else
  return stream;
#endif
}

/// finish() of a stream that is not default.
void wait_for(cudaStream_t stream);

}  // namespace hopper

/// Whether every launch from now on, by any thread, returns only when its kernel has finished, and throws a
/// device_error that names it if it failed. While a stream captures a graph nothing waits. At the start of the program
/// it is what SECTILE_LAUNCH_BLOCKING in the environment says.
void wait_for_each_launch(bool on);

/// Waits for all work on a stream of the current device. Throws a device_error if work on the device has failed: it
/// names the launches since the last finish, those of this stream first. Throws a launch_error if there is nothing to
/// wait for because the stream captures a graph.
inline void finish(cudaStream_t stream = nullptr) { hopper::wait_for(hopper::default_stream_of_file(stream)); }

}  // namespace sectile
