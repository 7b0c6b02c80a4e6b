// Sparse matrices in device memory: the functions of sparse.hpp as CUDA kernels, with the same results bit for bit and
// the same sentences. For nvcc.
#pragma once
#include <sectile/dsl/launch/device.hpp>
#include <sectile/dsl/launch/finish.hpp>
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
    const group_coord in_block = metadata_group_of(bits, thread, bit);
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
    throw launch_error(who, ": the matrix takes ", blocks, " thread blocks, a launch up to 2147483647");
  return static_cast<unsigned>(blocks);
}

/// Throws unless the current device reaches `rows` rows of `row_bytes` bytes, `stride_bytes` apart; `what` names them.
inline void check_rows(const char* who, const char* what, const void* p, std::int64_t rows, std::int64_t row_bytes,
                       std::int64_t stride_bytes, const launch_place& at) {
  byte_set s{static_cast<std::int64_t>(reinterpret_cast<std::uintptr_t>(p)), row_bytes};
  if (!repeat(s, rows, stride_bytes))
    throw launch_error(who, " ", what, ": reaches beyond the end of the address space");
  check_reach(driver_memory{}, who, what, s, at);
}

/// Launches a kernel over `blocks` blocks. Throws if it is not queued.
template <class... Parameters, class... Arguments>
void start_blocks(const char* doing, void (*kernel)(Parameters...), unsigned blocks, int threads, cudaStream_t stream,
                  const Arguments&... arguments) {
  const launch_config config({threads, 0}, static_cast<int>(blocks), stream);
  check_cuda(cudaLaunchKernelEx(&config.all, kernel, arguments...), doing);
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
    throw launch_error("compress_on: rows of values are ", value_stride, " elements apart, but K = ", k, " stores ",
                       k / 2);
  stream = hopper::default_stream_of_file(stream);
  const launch_place at = hopper::place_of(hopper::current_device().number, stream);
  if (at.capturing)
    throw launch_error("compress_on: it waits for ", stream_text(at),
                       ", which captures a graph; compress before the capture");
  constexpr std::int64_t size = sizeof(T);
  const std::int64_t words = metadata_cols(k, element_of<T>().bits);
  hopper::check_rows("compress_on:", "the dense matrix", dense, m, k * size, row_stride * size, at);
  hopper::check_rows("compress_on:", "values", values, m, k / 2 * size, value_stride * size, at);
  hopper::check_rows("compress_on:", "metadata", metadata, metadata_rows(m), words * 4, words * 4, at);
  const unsigned blocks = hopper::grid_of("compress_on", sparse_metadata_words<T>(m, k) / metadata_words);
  const hopper::device_matrix<const T> from{dense, m, k, row_stride};
  const hopper::device_minimum first_bad(stream);
  hopper::start_blocks("compress_on: launching the kernel", hopper::compress_kernel<T>, blocks, metadata_words, stream,
                       from, values, value_stride, metadata, first_bad.at);
  if (const auto bad = first_bad.read(); bad != hopper::device_minimum::nothing)
    hopper::refuse_group(stream, from, bad);
}

/// prune() for device memory, on `stream`. Returns when the work is queued.
template <sparse_element T>
void prune_on(cudaStream_t stream, T* dense, std::int64_t m, std::int64_t k, std::int64_t row_stride) {
  constexpr int threads = 256;
  detail::check_sparse_shape<T>("prune_on", dense, m, k, row_stride);
  stream = hopper::default_stream_of_file(stream);
  const launch_place at = hopper::place_of(hopper::current_device().number, stream);
  hopper::check_rows("prune_on:", "the matrix", dense, m, k * static_cast<std::int64_t>(sizeof(T)),
                     row_stride * static_cast<std::int64_t>(sizeof(T)), at);
  const unsigned blocks = hopper::grid_of("prune_on", (m * (k / group_of<T>)+threads - 1) / threads);
  hopper::start_blocks("prune_on: launching the kernel", hopper::prune_kernel<T>, blocks, threads, stream,
                       hopper::device_matrix<T>{dense, m, k, row_stride});
}

}  // namespace sectile
