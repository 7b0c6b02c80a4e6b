// Device memory for the examples: an array's copy on the GPU.
#pragma once
#include <vector>

#include <sectile/dsl/launch/launch.hpp>

template <class T>
struct device_array {
  T* data = nullptr;
  std::size_t bytes;

  explicit device_array(const std::vector<T>& host) : bytes(host.size() * sizeof(T)) {
    sectile::hopper::check_cuda(cudaMalloc(&data, bytes), "allocating device memory");
    sectile::hopper::check_cuda(cudaMemcpy(data, host.data(), bytes, cudaMemcpyHostToDevice), "copying to the GPU");
  }
  ~device_array() { cudaFree(data); }
  device_array(const device_array&) = delete;
  device_array& operator=(const device_array&) = delete;

  /// Waits for the kernels launched so far.
  void copy_to(std::vector<T>& host) const {
    sectile::hopper::check_cuda(cudaMemcpy(host.data(), data, bytes, cudaMemcpyDeviceToHost), "running the kernel");
  }
};
