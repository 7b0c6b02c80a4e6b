// One layer on a GPU and on the model. Bit for bit where no ex2 takes part, whose last bits are the chip's own;
// elsewhere within two units of the output's last place, or of what the magnitudes around it can lose.
#pragma once
#include <cmath>
#include <cstdio>
#include <cstring>
#include <sectile/dsl/launch/launch.hpp>
#include <sectile/dsl/launch/model.hpp>
#include <vector>

#include "tests/gpu/on_device.hpp"

namespace sectile::gpu_test {

// Each is a file of its own, so that they compile side by side.
void check_quantized_layers();
void check_turned_layers();
void check_row_layers();

constexpr int m = 456, n = 528, k = 208;
inline int failures = 0;

/// The same numbers on the host and on the device, `off` elements behind where memory begins.
template <class T>
struct twice {
  std::vector<T> host;
  T* device = nullptr;
  int off;

  twice(int count, unsigned seed, int offset = 0) : host(static_cast<std::size_t>(count) + 256), off(offset) {
    off += static_cast<int>((128 - reinterpret_cast<std::uintptr_t>(host.data()) % 128) % 128 / sizeof(T));
    for (std::size_t i = 0; i < host.size(); ++i) {
      const auto bits = random_bits(seed, i - static_cast<std::size_t>(off));
      const float x = static_cast<float>(static_cast<double>(bits >> 11) * 0x1p-52 - 1.0);
      if constexpr (element_of<T>().bits < 8)
        host[i].bits = static_cast<std::uint8_t>(bits >> 56);
      else
        host[i] = element_of<T>().kind == number::floating ? T(x) : T(100 * x);
    }
    hopper::check_cuda(cudaMalloc(&device, (host.size() + 128) * sizeof(T)), "allocating");
    copy(cudaMemcpyHostToDevice);
  }
  twice(const twice&) = delete;
  ~twice() { cudaFree(device); }
  /// Elements `off`.. of the host are elements `offset`.. of the device.
  void copy(cudaMemcpyKind way) {
    T* there = device + off % static_cast<int>(128 / sizeof(T));
    T* here = host.data() + off;
    const std::size_t bytes = (host.size() - static_cast<std::size_t>(off)) * sizeof(T);
    hopper::check_cuda(
        way == cudaMemcpyHostToDevice ? cudaMemcpy(there, here, bytes, way) : cudaMemcpy(here, there, bytes, way),
        "copying");
  }
  const T* in(bool on_device) const {
    return on_device ? device + off % static_cast<int>(128 / sizeof(T)) : host.data() + off;
  }
};

/// run(on the device?, the output) twice, and what differs.
template <class Out = bf16, class Run>
void compare(const char* name, bool exact, Run run) {
  twice<Out> gpu(m * n, 9), model(m * n, 9);
  run(true, const_cast<Out*>(gpu.in(true)));
  hopper::check_cuda(cudaDeviceSynchronize(), "running a layer");
  gpu.copy(cudaMemcpyDeviceToHost);
  run(false, const_cast<Out*>(model.in(false)));
  int bits = 0, far = 0;
  double largest = 0;
  for (int i = 0; i < m * n; ++i) {
    const Out x = gpu.in(false)[i], y = model.in(false)[i];
    bits += std::memcmp(&x, &y, sizeof x) != 0;
    const double error =
        std::abs(static_cast<double>(static_cast<float>(x)) - static_cast<double>(static_cast<float>(y)));
    far += !(error <= 0x1p-7 * std::abs(static_cast<double>(static_cast<float>(y))) + 1e-6);
    largest = std::fmax(largest, error);
  }
  const bool right = exact ? bits == 0 : far == 0;
  failures += !right;
  std::printf("%s %s: %d of %d elements have other bits, the largest difference is %g\n", right ? "ok  " : "FAIL", name,
              bits, m * n, largest);
}

/// On the device, or on the model.
template <class K, class... Arguments>
void run_kernel_on(bool device, const Arguments&... arguments) {
  if (device)
    launch<K>(arguments...);
  else
    run_on_model_with<K>({.check_hazards = false}, arguments...);
}
template <class K, class Out, class... Inputs>
void run_on(bool device, Out* out, int rows, int cols, const Inputs&... inputs) {
  run_kernel_on<K>(device, inputs..., matrix(out, rows, cols));
}

}  // namespace sectile::gpu_test
