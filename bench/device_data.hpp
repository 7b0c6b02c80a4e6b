// Device memory for benchmarks: owned buffers, random contents, and the distance between two results.
#pragma once
#include <cuda_runtime.h>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <sectile/layouts/element.hpp>
#include <sectile/layouts/sparse.hpp>
#include <type_traits>

#include "bench/timing.hpp"

namespace sectile::bench {

/// `count` elements of device memory.
template <class T>
struct device_buffer {
  T* data = nullptr;
  std::size_t count = 0;

  explicit device_buffer(std::size_t elements) : count(elements) {
    check(cudaMalloc(reinterpret_cast<void**>(&data), elements * sizeof(T)), "allocating device memory");
  }
  ~device_buffer() { cudaFree(data); }
  device_buffer(device_buffer&& other) noexcept : data(other.data), count(other.count) { other.data = nullptr; }
  device_buffer(const device_buffer&) = delete;
  device_buffer& operator=(const device_buffer&) = delete;

  /// Fills it with bytes 0xFF, which is NaN in every float and -1 in integers: what stays unwritten cannot pass for a
  /// result.
  void poison() { check(cudaMemset(data, 0xFF, count * sizeof(T)), "poisoning a buffer"); }
};

constexpr int data_blocks = 1024, data_threads = 256;

/// One element drawn with 64 random bits: a standard-normal number by Box and Muller's transform, of 8-bit integers 32
/// times that, rounded and clamped; of single bits the low ones.
template <class T>
__device__ T draw(std::uint64_t x) {
  if constexpr (element_of<T>().kind == number::bits)
    return {static_cast<std::uint8_t>(x)};
  else {
    const float above_zero = (static_cast<float>(x >> 40) + 0.5f) * 0x1p-24f;
    const float angle = static_cast<float>(x & 0xFFFFFFu) * 0x1p-24f;
    const float normal = sqrtf(-2 * logf(above_zero)) * cospif(2 * angle);
    if constexpr (std::is_same_v<T, s8>)
      return static_cast<s8>(fminf(fmaxf(rintf(32 * normal), -128), 127));
    else
      return T(normal);
  }
}

/// A hashed counter.
__device__ inline std::uint64_t random_bits(std::uint64_t i, std::uint64_t seed) {
  std::uint64_t x = (i + 1) * 0x9e3779b97f4a7c15u + seed * 0xd1342543de82ef95u;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return x ^ (x >> 31);
}

/// Elements drawn by hashed counters.
template <class T>
__global__ void write_random(T* out, std::size_t count, std::uint64_t seed) {
  const std::size_t step = static_cast<std::size_t>(gridDim.x) * blockDim.x;
  for (std::size_t i = blockIdx.x * static_cast<std::size_t>(blockDim.x) + threadIdx.x; i < count; i += step)
    out[i] = draw<T>(random_bits(i, seed));
}

template <class T>
void fill_random(T* data, std::size_t count, std::uint64_t seed) {
  write_random<<<data_blocks, data_threads>>>(data, count, seed);
  check(cudaGetLastError(), "filling a buffer");
}
template <class T>
void fill_random(device_buffer<T>& buffer, std::uint64_t seed) {
  fill_random(buffer.data, buffer.count, seed);
}

/// A word of metadata that the hardware knows: eight nibbles.
__device__ inline std::uint32_t draw_metadata(int element_bits, std::uint64_t x) {
  std::uint32_t word = 0;
  for (int i = 0; i < 8; ++i) {
    int nibble = static_cast<int>(x >> 4 * i & 15);
    while (!is_legal_nibble(element_bits, nibble)) nibble = (nibble + 5) % 16;
    word |= static_cast<std::uint32_t>(nibble) << 4 * i;
  }
  return word;
}

/// Words of it, drawn by hashed counters: of a whole matrix, whose elements have so many bits.
static __global__ void write_random_metadata(std::uint32_t* out, std::size_t count, int element_bits,
                                             std::uint64_t seed) {
  const std::size_t step = static_cast<std::size_t>(gridDim.x) * blockDim.x;
  for (std::size_t i = blockIdx.x * static_cast<std::size_t>(blockDim.x) + threadIdx.x; i < count; i += step)
    out[i] = draw_metadata(element_bits, random_bits(i, seed));
}
inline void fill_random_metadata(device_buffer<std::uint32_t>& buffer, int element_bits, std::uint64_t seed) {
  write_random_metadata<<<data_blocks, data_threads>>>(buffer.data, buffer.count, element_bits, seed);
  check(cudaGetLastError(), "filling a buffer with metadata");
}

template <class T>
__device__ double to_double(T x) {
  if constexpr (std::is_arithmetic_v<T>)
    return static_cast<double>(x);
  else
    return static_cast<float>(x);
}

/// sums[0] += |x - y|^2, sums[1] += |y|^2.
template <class T>
__global__ void add_squares(const T* x, const T* y, std::size_t count, double* sums) {
  const std::size_t step = static_cast<std::size_t>(gridDim.x) * blockDim.x;
  double error = 0, norm = 0;
  for (std::size_t i = blockIdx.x * static_cast<std::size_t>(blockDim.x) + threadIdx.x; i < count; i += step) {
    const double a = to_double(x[i]), b = to_double(y[i]);
    error += (a - b) * (a - b);
    norm += b * b;
  }
  atomicAdd(sums, error);
  atomicAdd(sums + 1, norm);
}

/// |x - y| / |y| in Euclidean norms over all elements; NaN where either holds one.
template <class T>
double relative_error(const T* x, const T* y, std::size_t count) {
  device_buffer<double> sums(2);
  double host[2]{};
  check(cudaMemset(sums.data, 0, sizeof host), "clearing the sums");
  add_squares<<<data_blocks, data_threads>>>(x, y, count, sums.data);
  check(cudaGetLastError(), "comparing two results");
  check(cudaMemcpy(host, sums.data, sizeof host, cudaMemcpyDeviceToHost), "comparing two results");
  return std::sqrt(host[0] / host[1]);
}
template <class T>
double relative_error(const device_buffer<T>& x, const device_buffer<T>& y) {
  return relative_error(x.data, y.data, y.count);
}

}  // namespace sectile::bench
