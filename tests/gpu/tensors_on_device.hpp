// Host tensors' copies in device memory, guards included: made when a tensor is first asked for.
#pragma once
#include <map>
#include <vector>

#include "tests/gpu/device.hpp"
#include "tests/programs/host_tensor.hpp"

namespace sectile::gpu_test {

class tensors_on_device {
  std::map<std::vector<unsigned char>*, unsigned char*> copies;

 public:
  tensors_on_device() = default;
  tensors_on_device(const tensors_on_device&) = delete;
  tensors_on_device& operator=(const tensors_on_device&) = delete;
  ~tensors_on_device() {
    for (const auto& [bytes, copy] : copies) cudaFree(copy);
  }

  template <class T>
  tensor_view<T> view(test::host_tensor<T>& x) {
    unsigned char*& copy = copies[&x.bytes];
    if (copy == nullptr) {
      check(cudaMalloc(reinterpret_cast<void**>(&copy), x.bytes.size()), "allocating device memory");
      check(cudaMemcpy(copy, x.bytes.data(), x.bytes.size(), cudaMemcpyHostToDevice), "copying to the device");
    }
    tensor_view<T> v = x.view();
    v.data = reinterpret_cast<T*>(copy + x.first);
    return v;
  }
  /// All tensors as the host has them now.
  void upload() const {
    for (const auto& [bytes, copy] : copies)
      check(cudaMemcpy(copy, bytes->data(), bytes->size(), cudaMemcpyHostToDevice), "copying to the device");
  }
  /// All tensors as the device has left them.
  void download() const {
    check(cudaDeviceSynchronize(), "running the kernel");
    for (const auto& [bytes, copy] : copies)
      check(cudaMemcpy(bytes->data(), copy, bytes->size(), cudaMemcpyDeviceToHost), "copying from the device");
  }
};

template <class T>
long long elements_that_differ(const std::vector<T>& x, const std::vector<T>& y) {
  long long differ = 0;
  for (std::size_t i = 0; i < x.size(); ++i) differ += std::memcmp(&x[i], &y[i], sizeof(T)) != 0;
  return differ;
}

}  // namespace sectile::gpu_test
