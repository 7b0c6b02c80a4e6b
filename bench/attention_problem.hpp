// Attention on random data in device memory, and a plain reference for it.
#pragma once
#include <sectile/dsl/launch/launch.hpp>
#include <sectile/kernels/attention.hpp>

#include <cmath>
#include <cstdint>

#include "bench/device_data.hpp"

namespace sectile::bench {

/// Elements of a row of Q, K, V and O.
constexpr int attention_dimension = 128;

using plain_attention = kernels::attention<attention_dimension, kernels::attention_mask::none>;

/// softmax(Q K^T / sqrt(D)) V of one head in float: a block of D threads for each row of Q. The scores of a row, one
/// for each of `length` keys, are kept in shared memory.
static __global__ void attend_plainly(bf16* o, const bf16* q, const bf16* k, const bf16* v, int length, float scale) {
  extern __shared__ float weight[];
  __shared__ float largest, total;
  const int d = static_cast<int>(threadIdx.x), dimension = static_cast<int>(blockDim.x);
  const std::int64_t row = static_cast<std::int64_t>(blockIdx.x) * dimension;
  for (int j = d; j < length; j += dimension) {
    float s = 0;
    for (int i = 0; i < dimension; ++i)
      s += static_cast<float>(q[row + i]) * static_cast<float>(k[static_cast<std::int64_t>(j) * dimension + i]);
    weight[j] = s * scale;
  }
  __syncthreads();
  if (d == 0) {
    largest = weight[0];
    for (int j = 1; j < length; ++j) largest = fmaxf(largest, weight[j]);
    total = 0;
    for (int j = 0; j < length; ++j) total += exp2f(weight[j] - largest);
  }
  __syncthreads();
  float sum = 0;
  for (int j = 0; j < length; ++j)
    sum += exp2f(weight[j] - largest) * static_cast<float>(v[static_cast<std::int64_t>(j) * dimension + d]);
  o[row + d] = bf16(sum / total);
}

/// Q, K, V and O of batch x heads x length x attention_dimension elements.
struct attention_problem {
  int batch, heads;
  std::int64_t length;
  device_buffer<bf16> q, k, v, o;

  attention_problem(int b, int h, std::int64_t n)
      : batch(b), heads(h), length(n), q(elements()), k(elements()), v(elements()), o(elements()) {
    fill_random(q, 11);
    fill_random(k, 12);
    fill_random(v, 13);
  }
  std::size_t elements() const { return static_cast<std::size_t>(batch * heads * length * attention_dimension); }
  /// Of the two products.
  double flops() const {
    return 4.0 * batch * heads * static_cast<double>(length) * static_cast<double>(length) * attention_dimension;
  }
  /// For powers of two.
  float scale() const { return static_cast<float>(1.4426950408889634 / std::sqrt(1.0 * attention_dimension)); }

  /// Queues O = softmax(Q K^T / sqrt(D)) V by our kernel, or another one.
  template <class Kernel = plain_attention>
  void run(cudaStream_t on) const {
    const auto in = [&](const device_buffer<bf16>& x) {
      return tensor(static_cast<const bf16*>(x.data), batch, heads, length, attention_dimension);
    };
    launch<Kernel>(in(q), in(k), in(v), tensor(o.data, batch, heads, length, attention_dimension), scale(), on);
  }
  /// How far the first head of O is from the reference, relative in Euclidean norms. Waits for it.
  double error() const {
    const auto head = static_cast<std::size_t>(length * attention_dimension);
    device_buffer<bf16> found(head), expected(head);
    check(cudaMemcpy(found.data, o.data, head * sizeof(bf16), cudaMemcpyDeviceToDevice), "copying a head");
    const auto scores = static_cast<std::size_t>(length) * sizeof(float);
    check(cudaFuncSetAttribute(attend_plainly, cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(scores)),
          "reserving shared memory for the scores");
    attend_plainly<<<static_cast<unsigned>(length), attention_dimension, scores>>>(
        expected.data, q.data, k.data, v.data, static_cast<int>(length), scale());
    check(cudaGetLastError(), "running the reference");
    return relative_error(found, expected);
  }
};

}  // namespace sectile::bench
