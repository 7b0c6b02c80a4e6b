// What the GPU tests need of a device: copies of guarded matrices, and whether there is one at all.
#pragma once
#include <cuda_runtime_api.h>

#include <cstdio>
#include <cstdlib>
#include <stdexcept>
#include <string>
#include <vector>

#include "tests/gpu/guarded.hpp"

namespace sectile::gpu_test {

constexpr int exit_skipped = 77;

inline void check(cudaError_t e, const char* doing) {
  if (e != cudaSuccess) throw std::runtime_error(std::string(doing) + ": " + cudaGetErrorString(e));
}

/// Why the tests cannot run here, or nothing.
inline std::string why_no_gpu() {
  int count = 0, major = 0;
  if (const cudaError_t e = cudaGetDeviceCount(&count); e != cudaSuccess) return cudaGetErrorString(e);
  if (count == 0) return "there is no GPU";
  check(cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, 0), "asking for the compute capability");
  return major == 9 ? "" : "device 0 is not a Hopper GPU";
}

/// A copy of a guarded matrix, guards included, in device memory.
template <class T>
struct device_copy {
  unsigned char* base = nullptr;
  std::size_t size = 0;

  explicit device_copy(const guarded<T>& from) : size(from.bytes.size()) {
    check(cudaMalloc(reinterpret_cast<void**>(&base), size), "allocating device memory");
    upload(from);
  }
  ~device_copy() { cudaFree(base); }
  device_copy(const device_copy&) = delete;
  device_copy& operator=(const device_copy&) = delete;

  /// Waits, because a copy from pageable memory may still be under way when the call returns.
  void upload(const guarded<T>& from) {
    check(cudaMemcpy(base, from.bytes.data(), size, cudaMemcpyHostToDevice), "copying to the device");
    check(cudaDeviceSynchronize(), "copying to the device");
  }
  /// Waits for the device and reports what went wrong there since.
  void download(guarded<T>& to) const {
    check(cudaDeviceSynchronize(), "running the kernel");
    check(cudaMemcpy(to.bytes.data(), base, size, cudaMemcpyDeviceToHost), "copying from the device");
  }
};

}  // namespace sectile::gpu_test
