// The sparse compressor on a GPU against the one on the CPU.
//
//   gpu_sparse_compress
//
// Matrices of odd sizes and every type, pruned and compressed on both: the same bits, and nothing written beside them.
// Then matrices that are not 2:4 sparse, and pointers that a GPU cannot follow: the same sentences. Exit code: 0 if all
// is right, 1 if not, 77 without a GPU.
#include <sectile/dsl/launch/sparse_device.hpp>

#include <cstdio>
#include <cstring>
#include <exception>
#include <functional>
#include <random>
#include <string>
#include <vector>

#include "tests/gpu/device.hpp"

namespace {

using namespace sectile::gpu_test;
using sectile::element_of;
using sectile::sparse_matrix;

int checks = 0, failures = 0;

void expect(bool right, const std::string& what) {
  ++checks;
  if (right) return;
  ++failures;
  std::printf("FAIL %s\n", what.c_str());
}

struct shape {
  std::int64_t m, k, extra;  // rows are k + extra elements apart
};

template <class T>
std::string name_of(const shape& s) {
  return std::string(element_of<T>().name) + " " + std::to_string(s.m) + " x " + std::to_string(s.k);
}

/// Any bits, about a third of the elements zero.
template <class T>
guarded<T> random_matrix(const shape& s, unsigned seed) {
  std::mt19937 random(seed);
  guarded<T> dense(s.m, s.k, s.k + s.extra);
  for (std::int64_t row = 0; row < s.m; ++row)
    for (std::int64_t col = 0; col < s.k; ++col) {
      const std::uint32_t raw = random() % 3 ? static_cast<std::uint32_t>(random()) : 0;
      T x;
      std::memcpy(&x, &raw, sizeof x);
      dense.set(row, col, x);
    }
  return dense;
}

template <class T>
T* first(guarded<T>& g) {
  return g.view(g.bytes.data()).data;
}

/// A sparse matrix in device memory with guards around its parts.
template <class T>
struct device_result {
  guarded<T> values;
  guarded<std::uint32_t> metadata;
  device_copy<T> values_there;
  device_copy<std::uint32_t> metadata_there;

  explicit device_result(const shape& s)
      : values(s.m, s.k / 2, sectile::sparse_value_stride<T>(s.k)),
        metadata(sectile::metadata_rows(s.m), sectile::metadata_cols(s.k, element_of<T>().bits),
                 sectile::metadata_cols(s.k, element_of<T>().bits)),
        values_there(values),
        metadata_there(metadata) {}

  void compress(cudaStream_t stream, const guarded<T>& dense, const device_copy<T>& dense_there) const {
    const auto from = dense.const_view(dense_there.base);
    sectile::compress_on(stream, from.data, dense.rows, dense.cols, dense.row_stride,
                         values.view(values_there.base).data, values.row_stride,
                         metadata.view(metadata_there.base).data);
  }
  void download() {
    values_there.download(values);
    metadata_there.download(metadata);
  }
};

template <class T>
std::vector<unsigned char> value_bits(const sparse_matrix<T>& s) {
  guarded<T> packed(s.rows, s.cols / 2, s.cols / 2);
  for (std::int64_t row = 0; row < s.rows; ++row)
    for (std::int64_t col = 0; col < s.cols / 2; ++col)
      packed.set(row, col, s.values[static_cast<std::size_t>(row * s.value_stride + col)]);
  return packed.bits();
}

template <class T>
void test_shape(cudaStream_t stream, const shape& s, unsigned seed) {
  const std::string what = name_of<T>(s);
  guarded<T> dense = random_matrix<T>(s, seed);
  const device_copy<T> there(dense);
  sectile::prune_on(stream, dense.view(there.base).data, s.m, s.k, dense.row_stride);
  check(cudaStreamSynchronize(stream), "pruning");
  sectile::prune(first(dense), s.m, s.k, dense.row_stride);
  guarded<T> pruned = dense;
  pruned.poison();
  there.download(pruned);
  expect(pruned.bytes == dense.bytes, what + ": pruned differently");

  device_result<T> result(s);
  result.compress(stream, dense, there);
  result.download();
  const sparse_matrix<T> expected = sectile::compress(first(dense), s.m, s.k, dense.row_stride);
  expect(result.values.bits() == value_bits(expected), what + ": other values");
  expect(std::memcmp(first(result.metadata), expected.metadata.data(), 4 * expected.metadata.size()) == 0,
         what + ": other metadata");
  expect(result.values.touched() == 0 && result.metadata.touched() == 0, what + ": bytes beside were written");
}

std::string sentence_of(const std::function<void()>& call) {
  try {
    call();
  } catch (const sectile::launch_error& e) {
    return e.what();
  }
  return "nothing was refused";
}

/// A few groups anywhere hold too much: both compressors name the first of them, row by row.
template <class T>
void test_bad_matrix(cudaStream_t stream, const shape& s, unsigned seed) {
  std::mt19937 random(seed);
  guarded<T> dense = random_matrix<T>(s, seed);
  sectile::prune(first(dense), s.m, s.k, dense.row_stride);
  for (int n = 0; n < 5; ++n) {
    const std::int64_t row = random() % s.m;
    const std::int64_t group = random() % (s.k / sectile::group_of<T>);
    for (int i = 0; i < sectile::group_of<T>; ++i) {
      const std::uint32_t raw = 0x0101'0101u * (1 + random() % 100);
      T x;
      std::memcpy(&x, &raw, sizeof x);
      dense.set(row, group * sectile::group_of<T> + i, x);
    }
  }
  const device_copy<T> there(dense);
  const device_result<T> result(s);
  const std::string on_gpu = sentence_of([&] { result.compress(stream, dense, there); });
  const std::string on_cpu = sentence_of([&] { sectile::compress(first(dense), s.m, s.k, dense.row_stride); });
  expect(on_gpu == on_cpu && on_gpu.find(" sparse: row ") != std::string::npos,
         name_of<T>(s) + ": '" + on_gpu + "' instead of '" + on_cpu + "'");
}

template <class T>
void test_type(cudaStream_t stream) {
  const shape shapes[] = {{1, 4, 0},      {64, 64, 0},    {63, 60, 4}, {65, 68, 0},
                          {129, 132, 12}, {257, 1028, 0}, {200, 36, 1}};
  unsigned seed = 1;
  for (const shape& s : shapes) {
    test_shape<T>(stream, s, seed);
    test_bad_matrix<T>(stream, s, 100 + seed++);
  }
}

void test_bad_arguments(cudaStream_t stream) {
  using T = sectile::bf16;
  const shape s{64, 64, 0};
  guarded<T> dense = random_matrix<T>(s, 1);
  sectile::prune(first(dense), s.m, s.k);
  const device_copy<T> there(dense);
  const device_result<T> result(s);
  T* from = dense.view(there.base).data;
  T* values = result.values.view(result.values_there.base).data;
  std::uint32_t* metadata = result.metadata.view(result.metadata_there.base).data;
  const auto expect_refused = [&](const std::string& sentence, const std::function<void()>& call) {
    const std::string said = sentence_of(call);
    expect(said.find(sentence) != std::string::npos, "expected '" + sentence + "', got '" + said + "'");
    expect(cudaGetLastError() == cudaSuccess, "an error is left behind after '" + sentence + "'");
  };
  expect_refused("the dense matrix: the pointer is host memory",
                 [&] { sectile::compress_on(stream, first(dense), 64, 64, 64, values, 32, metadata); });
  expect_refused("metadata: the pointer is host memory, or was freed",
                 [&] { sectile::compress_on(stream, from, 64, 64, 64, values, 32, nullptr); });
  expect_refused("K = 62 is not a multiple of 4",
                 [&] { sectile::compress_on(stream, from, 64, 62, 64, values, 32, metadata); });
  expect_refused("rows of values are 16 elements apart",
                 [&] { sectile::compress_on(stream, from, 64, 64, 64, values, 16, metadata); });
  expect_refused("the matrix: the pointer is host memory",
                 [&] { sectile::prune_on(stream, first(dense), 64, 64, 64); });
  expect(sentence_of([&] { result.compress(stream, dense, there); }) == "nothing was refused",
         "a good matrix after bad ones");
}

int run() {
  if (const std::string no_gpu = why_no_gpu(); !no_gpu.empty()) {
    std::printf("skipped: %s\n", no_gpu.c_str());
    return exit_skipped;
  }
  cudaStream_t stream{};
  check(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), "creating a stream");
  test_type<sectile::f16>(stream);
  test_type<sectile::bf16>(stream);
  test_type<sectile::tf32>(stream);
  test_type<sectile::e4m3>(stream);
  test_type<sectile::e5m2>(stream);
  test_type<sectile::s8>(stream);
  test_type<sectile::u8>(stream);
  test_bad_arguments(stream);
  check(cudaStreamDestroy(stream), "destroying a stream");
  std::printf("%d checks, %d failures\n", checks, failures);
  return failures ? 1 : 0;
}

}  // namespace

int main() {
  try {
    return run();
  } catch (const std::exception& e) {
    std::fprintf(stderr, "gpu_sparse_compress: %s\n", e.what());
    return 1;
  }
}
