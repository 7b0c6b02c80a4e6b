// Host arrays in device memory for the time of a launch, and views of them as a kernel takes them.
#pragma once
#include <cuda_runtime_api.h>

#include <sectile/dsl/launch/sparse.hpp>
#include <vector>

#include "tests/gpu/device.hpp"
#include "tests/programs/typed.hpp"

namespace sectile::gpu_test {

/// Copies that live as long as this does.
struct device_memory {
  std::vector<void*> all;

  device_memory() = default;
  device_memory(const device_memory&) = delete;
  device_memory& operator=(const device_memory&) = delete;
  ~device_memory() {
    for (void* p : all) cudaFree(p);
  }

  template <class T>
  T* copy(const std::vector<T>& from) {
    T* p = nullptr;
    check(cudaMalloc(&p, from.size() * sizeof(T)), "allocating device memory");
    all.push_back(p);
    check(cudaMemcpy(p, from.data(), from.size() * sizeof(T), cudaMemcpyHostToDevice), "copying to the device");
    return p;
  }
  template <class T>
  auto view(const test::typed_matrix<T>& x) {
    return x.view_of(static_cast<const T*>(copy(x.data)));
  }
  template <class T>
  auto view(const sparse_matrix<T>& x) {
    return sparse(static_cast<const T*>(copy(x.values)), copy(x.metadata), x.rows, x.cols, x.value_stride);
  }
};

}  // namespace sectile::gpu_test
