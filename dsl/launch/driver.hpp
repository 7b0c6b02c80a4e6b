// Calls of the CUDA runtime and driver, with every error as a sentence. The driver's functions are looked up at run
// time: a program needs no -lcuda.
#pragma once
#include <cuda.h>
#include <cuda_runtime.h>

#include <sectile/dsl/launch/cuda_errors.hpp>
#include <sectile/dsl/launch/error.hpp>
#include <sectile/dsl/launch/history.hpp>
#include <sectile/dsl/launch/start.hpp>

namespace sectile::hopper {

/// Throws for an error of the runtime or the driver while `doing` something `at` a place: a device_error that names the
/// launches that may have caused it if the device's context is lost, a launch_error otherwise. `otherwise`: CUDA's
/// text.
[[noreturn]] inline void fail(int code, const std::string& doing, const launch_place& at, const char* otherwise = "") {
  cudaGetLastError();  // the error is reported here; leave none behind
  if (!loses_context(code)) throw launch_error(doing, ": ", trouble_text(code, otherwise));
  const std::string suspects = history().suspects(at);
  throw device_error(doing, ": earlier work on device ", at.device, " has failed: ", trouble_reason(code), "; ",
                     suspects.empty() ? "no launch of Sectile was under way"
                                      : "launches that are not known to have finished: " + suspects,
                     trouble_advice(code));
}
[[noreturn]] inline void fail(int code, const std::string& doing, const char* otherwise = "") {
  launch_place anywhere{};
  cudaGetDevice(&anywhere.device);
  fail(code, doing, anywhere, otherwise);
}

inline void check_cuda(cudaError_t e, const std::string& doing) {
  if (e != cudaSuccess) fail(e, doing, cudaGetErrorString(e));
}

inline void check_driver(CUresult e, const char* doing) {
  if (e != CUDA_SUCCESS) fail(e, doing);
}

/// The driver's function of that name as of that version of CUDA; nullptr if it has none. For the default stream of
/// each thread where the program is compiled for that.
template <class Function>
Function* driver_function(const char* name, [[maybe_unused]] unsigned version) {
  void* entry = nullptr;
  cudaDriverEntryPointQueryResult found{};
#if CUDART_VERSION >= 12050
  const cudaError_t e = cudaGetDriverEntryPointByVersion(name, &entry, version, cudaEnableDefault, &found);
#else
  const cudaError_t e = cudaGetDriverEntryPoint(name, &entry, cudaEnableDefault, &found);
#endif
  if (e != cudaSuccess) cudaGetLastError();
  return e == cudaSuccess && found == cudaDriverEntryPointSuccess ? reinterpret_cast<Function*>(entry) : nullptr;
}

inline int attribute(cudaDeviceAttr what, int device) {
  int value = 0;
  check_cuda(cudaDeviceGetAttribute(&value, what, device), "asking the device for an attribute");
  return value;
}

/// While it lives, calls that a capture would not allow are allowed on this thread: those that ask and those that load
/// a kernel, which are not meant to be part of a graph.
struct outside_of_captures {
  cudaStreamCaptureMode mode = cudaStreamCaptureModeRelaxed;
  outside_of_captures() { cudaThreadExchangeStreamCaptureMode(&mode); }
  ~outside_of_captures() { cudaThreadExchangeStreamCaptureMode(&mode); }
  outside_of_captures(const outside_of_captures&) = delete;
  outside_of_captures& operator=(const outside_of_captures&) = delete;
};

/// A number that tells the current context from all others of this process, before and after it; 0 if the driver has
/// none to give.
inline std::uint64_t context_number() {
  static const auto get_id = driver_function<decltype(cuCtxGetId)>("cuCtxGetId", 12000);
  unsigned long long number = 0;
  return get_id && get_id(nullptr, &number) == CUDA_SUCCESS ? number : 0;
}

/// What stands for a stream in the history. The default stream of a thread has the same handle in all threads. A null
/// pointer is the legacy default stream (see default_stream_of_file).
inline void identify(cudaStream_t stream, launch_place& at) {
  static thread_local const char thread = 0;
  at.stream = stream;
  if (stream == cudaStreamPerThread) {
    at.stream = &thread;
    at.stream_name = "the thread's default stream";
  } else if (stream == cudaStreamLegacy || stream == nullptr) {
    at.stream = nullptr;
    at.stream_name = "the default stream";
  }
}

/// Throws if the stream belongs to another device. CUDA 13 launches on the stream's device without a word, where the
/// operands' memory cannot be reached. Not to be asked of a stream that captures: the question ends the capture.
inline void check_stream_device([[maybe_unused]] int device, [[maybe_unused]] cudaStream_t stream) {
#if CUDART_VERSION >= 12080
  if (stream == nullptr || stream == cudaStreamLegacy || stream == cudaStreamPerThread) return;
  int owner = device;
  if (cudaStreamGetDevice(stream, &owner) != cudaSuccess) {
    cudaGetLastError();  // whatever is wrong with the stream, the launch will say
    return;
  }
  if (owner != device)
    throw launch_error("the stream belongs to device ", owner, ", the current device is ", device,
                       "; call cudaSetDevice(", owner, ") first, and have the operands there");
#endif
}

/// The current device and context and a stream of it. Makes the device's primary context if there is none yet.
inline launch_place place_of(int device, cudaStream_t stream) {
  launch_place at{};
  at.device = device;
  identify(stream, at);
  cudaStreamCaptureStatus status = cudaStreamCaptureStatusNone;
  if (const cudaError_t e = cudaStreamIsCapturing(stream, &status); e != cudaSuccess)
    fail(e, "looking at the stream", at, cudaGetErrorString(e));
  if (status == cudaStreamCaptureStatusInvalidated) fail(cudaErrorStreamCaptureInvalidated, "looking at the stream");
  at.capturing = status == cudaStreamCaptureStatusActive;
  if (!at.capturing) check_stream_device(device, stream);
  at.context = context_number();
  return at;
}

}  // namespace sectile::hopper
