// Sparse matrices in device memory: the functions of sparse.hpp as CUDA kernels, with the same results bit for bit and
// the same sentences. For nvcc.
#pragma once
#include <sectile/dsl/launch/device.hpp>
#include <sectile/dsl/launch/sparse.hpp>

namespace sectile {

namespace hopper {

/// A row-major matrix in device memory.
template <class T>
struct device_matrix {
  T* data;
  std::int64_t rows, cols, row_stride;
};

/// One block of metadata per thread block, one word per thread: each thread stores the eight groups that its word
/// describes. The number of the first group that cannot be stored, counted row by row, ends up in *first_bad.
template <class T>
__global__ void __launch_bounds__(metadata_words)
    compress_kernel(device_matrix<const T> dense, T* values, std::int64_t value_stride, std::uint32_t* metadata,
                    unsigned long long* first_bad) {
  constexpr int bits = element_of<T>().bits;
  const std::int64_t groups = dense.cols / group_of<T>;
  const std::int64_t blocks = (groups + metadata_groups - 1) / metadata_groups;
  const int thread = static_cast<int>(threadIdx.x);
  std::uint32_t word = empty_metadata;
  for (int bit = 0; bit < 32; bit += 4) {
    const group_position in_block = metadata_group_of(bits, thread, bit);
    const std::int64_t row = blockIdx.x / blocks * wgmma_rows + in_block.row;
    const std::int64_t group = blockIdx.x % blocks * metadata_groups + in_block.group;
    if (row >= dense.rows || group >= groups) continue;
    const T* x = dense.data + row * dense.row_stride + group * group_of<T>;
    if (fits_group(bits, non_zero_mask(x)))
      word = with_nibble(word, bit, compress_group(x, values + row * value_stride + group * kept_of<T>));
    else
      atomicMin(first_bad, static_cast<unsigned long long>(row * groups + group));
  }
  metadata[blockIdx.x * static_cast<std::int64_t>(metadata_words) + thread] = word;
}

/// One thread per group.
template <class T>
__global__ void prune_kernel(device_matrix<T> dense) {
  const std::int64_t groups = dense.cols / group_of<T>;
  const std::int64_t g = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (g < dense.rows * groups) prune_group(dense.data + g / groups * dense.row_stride + g % groups * group_of<T>);
}

/// Blocks of a grid along x, or a refusal.
inline unsigned grid_of(const std::string& who, std::int64_t blocks) {
  if (blocks > std::numeric_limits<std::int32_t>::max())
    throw launch_error(who + ": the matrix takes " + std::to_string(blocks) +
                       " thread blocks, a launch up to 2147483647");
  return static_cast<unsigned>(blocks);
}

/// Throws unless the current device can reach the pointer; `what` names it.
inline void check_reach(const std::string& what, const void* p) {
  cudaPointerAttributes a{};
  int device = 0;
  check_cuda(cudaGetDevice(&device), what + ": asking for the current device");
  check_cuda(cudaPointerGetAttributes(&a, p), what + ": looking up the pointer");
  if (a.type == cudaMemoryTypeUnregistered) throw launch_error(what + ": the pointer is host memory or null");
  if (a.type == cudaMemoryTypeDevice && a.device != device)
    throw launch_error(what + ": the memory is on device " + std::to_string(a.device) + ", the current device is " +
                       std::to_string(device));
}

/// A number in device memory that kernels on a stream lower.
struct device_minimum {
  static constexpr unsigned long long nothing = ~0ull;

  cudaStream_t stream;
  unsigned long long* at = nullptr;

  explicit device_minimum(cudaStream_t on) : stream(on) {
    check_cuda(cudaMallocAsync(reinterpret_cast<void**>(&at), sizeof *at, stream), "allocating device memory");
    check_cuda(cudaMemsetAsync(at, 0xFF, sizeof *at, stream), "clearing device memory");
  }
  ~device_minimum() { cudaFreeAsync(at, stream); }
  device_minimum(const device_minimum&) = delete;
  device_minimum& operator=(const device_minimum&) = delete;

  /// Waits for the stream.
  unsigned long long read() const {
    unsigned long long value = nothing;
    check_cuda(cudaMemcpyAsync(&value, at, sizeof value, cudaMemcpyDeviceToHost, stream), "reading device memory");
    check_cuda(cudaStreamSynchronize(stream), "compressing a matrix");
    return value;
  }
};

/// Fetches group `number`, counted row by row, and throws the sentence about it.
template <class T>
[[noreturn]] void refuse_group(cudaStream_t stream, const device_matrix<const T>& dense, unsigned long long number) {
  const std::int64_t groups = dense.cols / group_of<T>;
  const std::int64_t row = static_cast<std::int64_t>(number) / groups,
                     group = static_cast<std::int64_t>(number) % groups;
  T x[group_of<T>];
  check_cuda(cudaMemcpyAsync(x, dense.data + row * dense.row_stride + group * group_of<T>, sizeof x,
                             cudaMemcpyDeviceToHost, stream),
             "reading device memory");
  check_cuda(cudaStreamSynchronize(stream), "reading device memory");
  throw launch_error(detail::not_sparse_text(row, group, x));
}

}  // namespace hopper

/// compress() for device memory, on `stream`. dense: M x K, rows `row_stride` elements apart. values: M x K/2, rows
/// `value_stride` elements apart (sparse_value_stride<T>(K) suits TMA; what lies behind a row's K/2 is left alone).
/// metadata: sparse_metadata_words<T>(M, K) words. Waits for the stream, because it has to see whether the matrix is
/// 2:4 sparse; if it is not, values and metadata are undefined. A sparse_view of the result: sparse(values, metadata,
/// M, K, value_stride).
template <sparse_element T>
void compress_on(cudaStream_t stream, const T* dense, std::int64_t m, std::int64_t k, std::int64_t row_stride,
                 std::type_identity_t<T>* values, std::int64_t value_stride, std::uint32_t* metadata) {
  detail::check_sparse_shape<T>("compress_on", dense, m, k, row_stride);
  if (value_stride < k / 2)
    throw launch_error("compress_on: rows of values are " + std::to_string(value_stride) +
                       " elements apart, but K = " + std::to_string(k) + " stores " + std::to_string(k / 2));
  hopper::check_reach("compress_on: the dense matrix", dense);
  hopper::check_reach("compress_on: values", values);
  hopper::check_reach("compress_on: metadata", metadata);
  const unsigned blocks = hopper::grid_of("compress_on", sparse_metadata_words<T>(m, k) / metadata_words);
  const hopper::device_matrix<const T> from{dense, m, k, row_stride};
  const hopper::device_minimum first_bad(stream);
  hopper::compress_kernel<T><<<blocks, metadata_words, 0, stream>>>(from, values, value_stride, metadata, first_bad.at);
  hopper::check_cuda(cudaGetLastError(), "compress_on: launching the kernel");
  if (const auto bad = first_bad.read(); bad != hopper::device_minimum::nothing)
    hopper::refuse_group(stream, from, bad);
}

/// prune() for device memory, on `stream`. Returns when the work is queued.
template <sparse_element T>
void prune_on(cudaStream_t stream, T* dense, std::int64_t m, std::int64_t k, std::int64_t row_stride) {
  constexpr int threads = 256;
  detail::check_sparse_shape<T>("prune_on", dense, m, k, row_stride);
  hopper::check_reach("prune_on: the matrix", dense);
  const unsigned blocks = hopper::grid_of("prune_on", (m * (k / group_of<T>)+threads - 1) / threads);
  hopper::prune_kernel<T><<<blocks, threads, 0, stream>>>(hopper::device_matrix<T>{dense, m, k, row_stride});
  hopper::check_cuda(cudaGetLastError(), "prune_on: launching the kernel");
}

}  // namespace sectile
