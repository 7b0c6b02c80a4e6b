// What the random problems need on the GPU itself, so that thousands fit into a minute: numbers, a reference,
// comparisons. Everything is as plain as can be: one thread per element, sums in float64.
#pragma once
#include <cuda_runtime.h>

#include <cmath>
#include <cstdint>
#include <sectile/layouts/element.hpp>

namespace sectile::gpu_test {

__host__ __device__ inline std::uint64_t mix(std::uint64_t x) {
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9U;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebU;
  return x ^ (x >> 31);
}
__host__ __device__ inline std::uint64_t random_bits(std::uint64_t seed, std::uint64_t index) {
  return mix(mix(seed + 0x9e3779b97f4a7c15U) + (index + 1) * 0x9e3779b97f4a7c15U);
}

/// Extents and strides in elements; the coordinates of element number i count the last mode fastest.
struct strided {
  int rank = 0, contiguous = 0;
  std::int64_t extent[5]{}, stride[5]{};

  __device__ std::int64_t offset(std::int64_t i) const {
    std::int64_t at = 0;
    for (int d = rank - 1; d >= 0; --d) {
      at += i % extent[d] * stride[d];
      i /= extent[d];
    }
    return at;
  }
};

// ---- elements

template <class T>
__device__ double number_of(const T& x) {
  if constexpr (std::is_arithmetic_v<T>)
    return static_cast<double>(x);
  else
    return static_cast<double>(static_cast<float>(x));
}
template <class T>
__device__ T element_from(double x) {
  if constexpr (std::is_same_v<T, s32>)
    return static_cast<s32>(static_cast<std::uint32_t>(static_cast<long long>(x)));  // modulo 2^32
  else if constexpr (std::is_arithmetic_v<T>)
    return static_cast<T>(x);
  else
    return T(static_cast<float>(x));
}

enum class contents : int { whole, normal, wide, extreme };

/// Number `index` of a tensor.
template <class T>
__device__ double random_number(contents what, double density, std::uint64_t seed, std::uint64_t index) {
  constexpr element e = element_of<T>();
  const std::uint64_t bits = random_bits(seed, index);
  if (what == contents::whole) {
    if (static_cast<double>(bits >> 32) * 0x1p-32 >= density) return 0;
    const double size = bits & 1 ? 2 : 1;
    return e.kind != number::unsigned_integer && bits & 2 ? -size : size;
  }
  if constexpr (e.kind == number::signed_integer) {
    if (what == contents::extreme) return bits % 16 ? 127 - static_cast<double>(seed % 2 * 255) : -128;
    return static_cast<double>(static_cast<int>(bits % 256) - 128);
  } else if constexpr (e.kind == number::unsigned_integer) {
    return what == contents::extreme ? 255 - static_cast<double>(bits % 2) : static_cast<double>(bits % 256);
  } else {
    double x = 0;  // twelve of uniform distribution make a normal one
    for (int i = 0; i < 12; ++i)
      x += static_cast<double>(random_bits(bits, static_cast<std::uint64_t>(i)) >> 32) * 0x1p-32;
    x -= 6;
    return what == contents::wide ? ldexp(x, static_cast<int>((bits >> 40) % 25) - 12) : x;
  }
}

inline unsigned blocks_for(std::int64_t threads) { return static_cast<unsigned>((threads + 255) / 256); }
__device__ inline std::int64_t thread_number() {
  return static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
}

/// Fills a tensor. With `sparse`, all but half of every group of so many neighbours along the last mode are zero.
template <class T>
__global__ void fill(T* base, strided t, std::int64_t count, contents what, double density, std::uint64_t seed,
                     int sparse) {
  const std::int64_t i = thread_number();
  if (i >= count) return;
  double x = random_number<T>(what, density, seed, static_cast<std::uint64_t>(i));
  if (sparse) {
    const std::uint64_t pick =
        random_bits(~seed, static_cast<std::uint64_t>(i / sparse)) % 6;  // which of the pairs of four
    constexpr int pairs[] = {0b0011, 0b0101, 0b1001, 0b0110, 0b1010, 0b1100};
    const bool kept = sparse == 2 ? static_cast<std::int64_t>(pick & 1) == i % 2 : pairs[pick] >> i % 4 & 1;
    if (!kept) x = 0;
  }
  base[t.offset(i)] = element_from<T>(x);
}
/// One-bit elements, a byte at a time; `t` counts bytes.
static __global__ void fill_bits(std::uint8_t* base, strided t, std::int64_t count, double density,
                                 std::uint64_t seed) {
  const std::int64_t i = thread_number();
  if (i >= count) return;
  int byte = 0;
  for (int b = 0; b < 8; ++b)
    byte |= (static_cast<double>(random_bits(seed, static_cast<std::uint64_t>(8 * i + b)) >> 32) * 0x1p-32 < density)
            << b;
  base[t.offset(i)] = static_cast<std::uint8_t>(byte);
}

/// The numbers of a tensor as packed floats, which hold every type's exactly.
template <class T>
__global__ void read_numbers(float* to, const T* base, strided t, std::int64_t count) {
  const std::int64_t i = thread_number();
  if (i < count) to[i] = static_cast<float>(number_of(base[t.offset(i)]));
}
static __global__ void read_bits(float* to, const std::uint8_t* base, strided t, std::int64_t count) {
  const std::int64_t i = thread_number();
  if (i < count)
    for (int b = 0; b < 8; ++b) to[8 * i + b] = static_cast<float>(base[t.offset(i)] >> b & 1);
}

// ---- references

constexpr int side = 16;

/// sum = A B^T and magnitude = |A| |B|^T of packed m x k and n x k. With `clamp_step`, sums stay within s32 after every
/// so many columns.
static __global__ void multiply(const float* a, const float* b, std::int64_t m, std::int64_t n, std::int64_t k,
                                int clamp_step, double* sum, double* magnitude) {
  __shared__ float left[side][side + 1], right[side][side + 1];
  const std::int64_t tiles = (n + side - 1) / side;
  const std::int64_t i = blockIdx.x / tiles * side + threadIdx.y, j = blockIdx.x % tiles * side + threadIdx.x;
  const std::int64_t b_row = blockIdx.x % tiles * side + threadIdx.y;
  double s = 0, all = 0, part = 0;
  for (std::int64_t k0 = 0; k0 < k; k0 += side) {
    const std::int64_t col = k0 + threadIdx.x;
    left[threadIdx.y][threadIdx.x] = i < m && col < k ? a[i * k + col] : 0.0f;
    right[threadIdx.y][threadIdx.x] = b_row < n && col < k ? b[b_row * k + col] : 0.0f;
    __syncthreads();
    for (int l = 0; l < side; ++l) {
      const double x = static_cast<double>(left[threadIdx.y][l]) * static_cast<double>(right[threadIdx.x][l]);
      part += x;
      all += fabs(x);
    }
    __syncthreads();
    const bool whole_step = !clamp_step || (k0 + side) % clamp_step == 0 || k0 + side >= k;
    if (!whole_step) continue;
    s += part;
    part = 0;
    if (clamp_step) s = fmin(fmax(s, -2147483648.0), 2147483647.0);
  }
  if (i >= m || j >= n) return;
  sum[i * n + j] = s;
  magnitude[i * n + j] = all;
}

constexpr int most_keys = 2048;

/// softmax(Q K^T) V of packed heads, powers of two of scores times `scale`: one block of `dimension` threads per row of
/// Q.
static __global__ void attend(const float* q, const float* k, const float* v, std::int64_t queries, std::int64_t keys,
                              int dimension, bool causal, double scale, double* sum, double* magnitude) {
  __shared__ double weight[most_keys];
  __shared__ double shared_max, shared_sum;
  const std::int64_t head = blockIdx.x / queries, row = blockIdx.x % queries;
  const std::int64_t seen = causal && row + 1 < keys ? row + 1 : keys;
  const float *my_q = q + blockIdx.x * static_cast<std::int64_t>(dimension), *my_k = k + head * keys * dimension,
              *my_v = v + head * keys * dimension;
  for (std::int64_t j = threadIdx.x; j < seen; j += blockDim.x) {
    double s = 0;
    for (int d = 0; d < dimension; ++d)
      s += static_cast<double>(my_q[d]) * static_cast<double>(my_k[j * dimension + d]);
    weight[j] = s * scale;
  }
  __syncthreads();
  if (threadIdx.x == 0) {
    double largest = weight[0], total = 0;
    for (std::int64_t j = 1; j < seen; ++j) largest = fmax(largest, weight[j]);
    for (std::int64_t j = 0; j < seen; ++j) total += ::exp2(weight[j] - largest);
    shared_max = largest;
    shared_sum = total;
  }
  __syncthreads();
  for (std::int64_t j = threadIdx.x; j < seen; j += blockDim.x) weight[j] = ::exp2(weight[j] - shared_max) / shared_sum;
  __syncthreads();
  double s = 0, all = 0;
  for (std::int64_t j = 0; j < seen; ++j) {
    const double x = weight[j] * static_cast<double>(my_v[j * dimension + threadIdx.x]);
    s += x;
    all += fabs(x);
  }
  sum[blockIdx.x * static_cast<std::int64_t>(dimension) + threadIdx.x] = s;
  magnitude[blockIdx.x * static_cast<std::int64_t>(dimension) + threadIdx.x] = all;
}

// ---- comparisons

/// What a result may differ by: nothing, where the magnitudes stay below `exact_below`; else a part of the magnitude,
/// of the number itself, and of nothing.
struct tolerance {
  double exact_below = 0, of_magnitude = 0, of_number = 0, absolute = 0;
};
struct findings {
  unsigned long long wrong = 0, first_wrong = ~0ull;      // elements of the output
  unsigned long long exact = 0;                           // compared exactly
  unsigned long long touched = 0, first_touched = ~0ull;  // bytes outside of it
  double error = 0, norm = 0;                             // sums of squares
};

template <class T>
__global__ void compare(const T* base, strided t, std::int64_t count, const double* sum, const double* magnitude,
                        tolerance bar, findings* found) {
  const std::int64_t i = thread_number();
  if (i >= count) return;
  const T x = base[t.offset(i)], right = element_from<T>(sum[i]);
  const double off = fabs(number_of(x) - (std::is_integral_v<T> ? number_of(right) : sum[i]));
  bool good;
  if (std::is_integral_v<T> || magnitude[i] <= bar.exact_below) {
    good = number_of(x) == number_of(right);
    atomicAdd(&found->exact, 1ull);
  } else {
    good = off <= bar.of_magnitude * magnitude[i] + bar.of_number * fabs(sum[i]) + bar.absolute;
  }
  if (!good) {
    atomicAdd(&found->wrong, 1ull);
    atomicMin(&found->first_wrong, static_cast<unsigned long long>(i));
  }
  atomicAdd(&found->error, isnan(off) ? HUGE_VAL : off * off);
  atomicAdd(&found->norm, sum[i] * sum[i]);
}

/// Modes by falling stride, without those of one element: which elements of memory belong to a tensor.
struct occupied {
  int modes = 0;
  std::int64_t first = 0, element_bytes = 1;
  std::int64_t extent[5]{}, stride[5]{};

  __device__ bool has(std::int64_t byte) const {
    if (byte < first) return false;
    std::int64_t at = (byte - first) / element_bytes;
    for (int d = 0; d < modes; ++d) {
      if (at / stride[d] >= extent[d]) return false;
      at %= stride[d];
    }
    return at == 0;
  }
};

/// Bytes of the arena that changed though they are no elements of the output (or, without one, at all). Eight at a
/// time.
static __global__ void find_touched(const std::uint64_t* now, const std::uint64_t* before, std::int64_t words,
                                    occupied output, findings* found) {
  const std::int64_t i = thread_number();
  if (i >= words || now[i] == before[i]) return;
  const auto *x = reinterpret_cast<const std::uint8_t*>(now + i),
             *y = reinterpret_cast<const std::uint8_t*>(before + i);
  for (int b = 0; b < 8; ++b) {
    if (x[b] == y[b] || output.has(8 * i + b)) continue;
    atomicAdd(&found->touched, 1ull);
    atomicMin(&found->first_touched, static_cast<unsigned long long>(8 * i + b));
  }
}

}  // namespace sectile::gpu_test
