// Launches that must not happen, on a GPU.
//
//   gpu_bad_launch
//
// Every bad launch has to be refused with the sentence that names what is wrong, write nothing, and leave the device as
// usable as before: a good launch follows each. Memory of every kind that is good must be taken. Exit code: 0 if all is
// right, 1 if not, 77 without a GPU.
#include <sectile/dsl/launch/launch.hpp>
#include <sectile/kernels/attention.hpp>
#include <sectile/kernels/gemm.hpp>

#include <cstdio>
#include <cstring>
#include <exception>
#include <string>
#include <vector>

#include "tests/gpu/mapped_memory.hpp"
#include "tests/gpu/refusing.hpp"

namespace {

using namespace sectile::gpu_test;
using sectile::bf16;
using sectile::tensor_view;
using gemm = sectile::kernels::gemm_bf16;
using attention = sectile::kernels::attention<128, sectile::kernels::attention_mask::none>;

void test_pointers(probe& p) {
  using product = device_product<bf16>;
  expect_refused(p, "null A", "operand A: the pointer is null", [](const product& g) {
    sectile::launch<gemm>(with_data(g.a_view(), nullptr), g.b_view(), g.c_view());
  });
  expect_refused(p, "null C", "operand C: the pointer is null", [](const product& g) {
    sectile::launch<gemm>(g.a_view(), g.b_view(), with_data(g.c_view(), nullptr));
  });
  expect_refused(p, "B off by 2 bytes", "operand B: the pointer is not aligned to 16 bytes", [](const product& g) {
    sectile::launch<gemm>(g.a_view(), moved_by_bytes(g.b_view(), 2), g.c_view());
  });
  expect_refused(p, "C off by 8 bytes", "8 bytes off", [](const product& g) {
    sectile::launch<gemm>(g.a_view(), g.b_view(), moved_by_bytes(g.c_view(), 8));
  });
  expect_refused(p, "A in host memory", "operand A: the pointer is host memory", [](const product& g) {
    sectile::launch<gemm>(g.problem.a.const_view(g.problem.a.bytes.data()), g.b_view(), g.c_view());
  });
  expect_refused(p, "C in host memory", "operand C: the pointer is host memory", [](const product& g) {
    guarded<bf16> host = make_output<bf16>(g.problem);
    sectile::launch<gemm>(g.a_view(), g.b_view(), host.view(host.bytes.data()));
  });
}

void test_sizes(probe& p) {
  using product = device_product<bf16>;
  for (const std::int64_t rows : {0, -1})
    expect_refused(p, "M = " + std::to_string(rows), "M = " + std::to_string(rows) + ": every size must be at least 1",
                   [=](const product& g) {
                     sectile::launch<gemm>(with_extent(g.a_view(), 0, rows), g.b_view(),
                                           with_extent(g.c_view(), 0, rows));
                   });
  expect_refused(p, "K = 0", "K = 0: every size must be at least 1", [](const product& g) {
    sectile::launch<gemm>(with_extent(g.a_view(), 1, 0), with_extent(g.b_view(), 1, 0), g.c_view());
  });
  for (const std::int64_t rows : {std::int64_t{1} << 31, std::int64_t{1} << 40})
    expect_refused(p, "M = " + std::to_string(rows), "TMA coordinates are 32-bit", [=](const product& g) {
      sectile::launch<gemm>(with_extent(g.a_view(), 0, rows), g.b_view(), with_extent(g.c_view(), 0, rows));
    });
  expect_refused(p, "more tiles than an int counts", "clusters of tiles; a launch takes up to", [](const product& g) {
    constexpr std::int64_t rows = 2'000'000'000, cols = 1 << 17;
    sectile::launch<gemm>(with_extent(g.a_view(), 0, rows), with_extent(g.b_view(), 0, cols),
                          with_stride(with_extent(with_extent(g.c_view(), 0, rows), 1, cols), 0, cols));
  });
  const std::string k = std::to_string(p.product.problem.k);
  expect_refused(p, "K of A and B", "operand B: K = 2, but operand A has K = " + k, [](const product& g) {
    sectile::launch<gemm>(g.a_view(), with_extent(g.b_view(), 1, 2), g.c_view());
  });
  expect_refused(p, "M of A and C", "operand C: M = 100, but operand A has M", [](const product& g) {
    sectile::launch<gemm>(g.a_view(), g.b_view(), with_extent(g.c_view(), 0, 100));
  });
  expect_refused(p, "N of B and C", "operand C: N = 8, but operand B has N", [](const product& g) {
    sectile::launch<gemm>(g.a_view(), g.b_view(), with_extent(g.c_view(), 1, 8));
  });
  expect_refused(p, "three modes", "the tensor has 3 modes, the kernel expects 2", [](const product& g) {
    sectile::launch<gemm>(sectile::tensor(g.a_view().data, 1, 64, 64), g.b_view(), g.c_view());
  });
}

void test_strides(probe& p) {
  using product = device_product<bf16>;
  expect_refused(p, "rows of A 9 elements apart", "18 bytes: not a multiple of 16 bytes", [](const product& g) {
    sectile::launch<gemm>(with_stride(g.a_view(), 0, 9), g.b_view(), g.c_view());
  });
  expect_refused(p, "rows of C an odd number of elements apart", "not a multiple of 16 bytes", [](const product& g) {
    sectile::launch<gemm>(g.a_view(), g.b_view(), with_stride(g.c_view(), 0, g.out.row_stride + 1));
  });
  expect_refused(p, "columns of B two elements apart", "must be contiguous", [](const product& g) {
    sectile::launch<gemm>(g.a_view(), with_stride(g.b_view(), 1, 2), g.c_view());
  });
  expect_refused(p, "a column-major A", "must be contiguous", [](const product& g) {
    sectile::launch<gemm>(sectile::matrix_col_major(g.a_view().data, g.problem.m, g.problem.k, 1024), g.b_view(),
                          g.c_view());
  });
  expect_refused(p, "a negative stride", "TMA takes 0 to 2^40 - 1 bytes", [](const product& g) {
    sectile::launch<gemm>(with_stride(g.a_view(), 0, -8), g.b_view(), g.c_view());
  });
  expect_refused(p, "a stride of 2^40 bytes", "TMA takes 0 to 2^40 - 1 bytes", [](const product& g) {
    sectile::launch<gemm>(with_stride(g.a_view(), 0, std::int64_t{1} << 39), g.b_view(), g.c_view());
  });
  for (const std::int64_t stride : {0, 8})  // both less than C's columns
    expect_refused(
        p, "rows of C " + std::to_string(stride) + " elements apart", "must not overlap",
        [=](const product& g) { sectile::launch<gemm>(g.a_view(), g.b_view(), with_stride(g.c_view(), 0, stride)); });
}

void test_attention_sizes(probe& p) {
  constexpr std::size_t elements = 2 * 256 * 256;
  bf16* data = nullptr;
  check(cudaMalloc(reinterpret_cast<void**>(&data), elements * sizeof(bf16)), "allocating device memory");
  const auto in = [=](int length, int dimension) {
    return sectile::tensor(static_cast<const bf16*>(data), 1, 2, length, dimension);
  };
  const auto out = [=](int length, int dimension) { return sectile::tensor(data, 1, 2, length, dimension); };
  expect_refused(p, "T of K and V", "operand V: T = 128, but operand K has T = 256", [&](const auto&) {
    sectile::launch<attention>(in(256, 128), in(256, 128), in(128, 128), out(256, 128), 1.0f);
  });
  expect_refused(p, "S of Q and O", "operand O: S = 100, but operand Q has S = 256", [&](const auto&) {
    sectile::launch<attention>(in(256, 128), in(256, 128), in(256, 128), out(100, 128), 1.0f);
  });
  // A head of 256 does not fit the kernel for 128: it would sum over half of it.
  expect_refused(p, "D larger than the kernel's", "D = 256", [&](const auto&) {
    sectile::launch<attention>(in(256, 256), in(256, 256), in(256, 256), out(256, 256), 1.0f);
  });
  cudaFree(data);
}

void test_overlap(probe& p) {
  using product = device_product<bf16>;
  // B is N x K and C is M x N: as C, any of their memory will do.
  expect_refused(p, "C in A's memory", "share memory", [](const product& g) {
    sectile::launch<gemm>(g.a_view(), g.b_view(), with_data(g.c_view(), const_cast<bf16*>(g.a_view().data)));
  });
  expect_refused(p, "C behind the first rows of B", "and operand B (", [](const product& g) {
    const auto b = g.b_view();
    sectile::launch<gemm>(g.a_view(), b, with_data(g.c_view(), const_cast<bf16*>(b.data) + b.stride[0]));
  });
}

/// The probe's product with A in `memory`, which the GPU can reach, must give the same bits.
void expect_same_result(probe& p, const std::string& what, void* memory) {
  const guarded<bf16>& a = p.product.problem.a;
  std::memcpy(memory, a.bytes.data(), a.bytes.size());
  p.product.poison();
  sectile::launch<gemm>(a.const_view(static_cast<const unsigned char*>(memory)), p.product.b_view(),
                        p.product.c_view());
  p.count.expect(p.product.download() == p.good, what, "another result");
}

void test_kinds_of_memory(probe& p) {
  const std::size_t bytes = p.product.problem.a.bytes.size();
  void* memory = nullptr;
  check(cudaMallocManaged(&memory, bytes), "allocating managed memory");
  expect_same_result(p, "A in managed memory", memory);
  check(cudaFree(memory), "freeing managed memory");
  check(cudaMallocHost(&memory, bytes), "allocating pinned memory");
  expect_same_result(p, "A in pinned host memory", memory);
  check(cudaFreeHost(memory), "freeing pinned memory");
  std::vector<unsigned char> pageable(bytes);
  check(cudaHostRegister(pageable.data(), bytes, cudaHostRegisterDefault), "registering memory");
  expect_same_result(p, "A in registered host memory", pageable.data());
  check(cudaHostUnregister(pageable.data()), "unregistering memory");
}

/// A's bytes, guards included, at the end of a larger allocation: what lies behind its last row is not needed.
void test_ends_of_memory(probe& p, const std::string& kind, unsigned char* memory, std::size_t size) {
  const guarded<bf16>& a = p.product.problem.a;
  const auto reaches = static_cast<std::size_t>((a.rows - 1) * a.row_stride + a.cols) * sizeof(bf16);
  unsigned char* const last = memory + (size - reaches) / 16 * 16;  // where the first element is to be
  const auto a_at = [&](unsigned char* first) { return a.const_view(first - a.first); };
  check(cudaMemcpy(last, a.bytes.data() + a.first, reaches, cudaMemcpyDefault), "copying A");
  p.product.poison();
  const std::string said =
      refusal_of([&] { sectile::launch<gemm>(a_at(last), p.product.b_view(), p.product.c_view()); });
  p.count.expect(said.empty(), kind + ", A up to its end", said);
  p.count.expect(p.product.download() == p.good, kind + ", A up to its end", "another result");
  expect_refused(p, kind + ", A beyond its end", "are the sizes or strides too large?",
                 [&](const auto& g) { sectile::launch<gemm>(a_at(last + 16), g.b_view(), g.c_view()); });
}

void test_ranges(probe& p) {
  constexpr std::size_t size = 8 << 20;  // larger than what CUDA rounds an allocation up to
  const std::size_t needed = p.product.problem.a.bytes.size();
  p.count.expect(needed < size, "the probe's A", "it is too large for this test");
  unsigned char* memory = nullptr;
  check(cudaMalloc(reinterpret_cast<void**>(&memory), size), "allocating device memory");
  test_ends_of_memory(p, "cudaMalloc", memory, size);
  expect_refused(p, "rows of A too far apart", "but what was allocated ends at 0x", [&](const auto& g) {
    sectile::launch<gemm>(with_stride(g.a_view(), 0, 1 << 22), g.b_view(), g.c_view());
  });
  check(cudaFree(memory), "freeing device memory");
  expect_refused(p, "A in freed memory", "was freed", [&](const auto& g) {
    sectile::launch<gemm>(with_data(g.a_view(), reinterpret_cast<const bf16*>(memory)), g.b_view(), g.c_view());
  });
  check(cudaMallocManaged(reinterpret_cast<void**>(&memory), size), "allocating managed memory");
  test_ends_of_memory(p, "managed memory", memory, size);
  check(cudaFree(memory), "freeing managed memory");
}

void test_pool(probe& p) {
  const std::size_t bytes = p.product.problem.a.bytes.size();
  void *memory = nullptr, *neighbour = nullptr;
  check(cudaMallocAsync(&memory, bytes, nullptr), "allocating from a pool");
  check(cudaMallocAsync(&neighbour, bytes, nullptr), "allocating from a pool");
  check(cudaDeviceSynchronize(), "allocating from a pool");
  p.product.poison();
  check(cudaMemcpy(memory, p.product.problem.a.bytes.data(), bytes, cudaMemcpyDefault), "copying A");
  const std::string said = refusal_of([&] {
    sectile::launch<gemm>(p.product.problem.a.const_view(static_cast<unsigned char*>(memory)), p.product.b_view(),
                          p.product.c_view());
  });
  p.count.expect(said.empty(), "A from a pool", said);
  p.count.expect(p.product.download() == p.good, "A from a pool", "another result");
  check(cudaFreeAsync(memory, nullptr), "freeing to a pool");
  check(cudaFreeAsync(neighbour, nullptr), "freeing to a pool");
}

/// Memory that the program maps itself: two pieces back to back are one; addresses without memory are none.
void test_mapped_memory(probe& p) {
  const std::size_t bytes = p.product.problem.a.bytes.size();
  mapped_memory memory(3);
  const std::size_t half = bytes / 2 / 16 * 16;
  p.count.expect(bytes < 2 * memory.piece_bytes, "the probe's A", "it is too large for this test");
  memory.map(0);
  memory.map(1);
  unsigned char* const across = memory.base + memory.piece_bytes - half;
  check(cudaMemcpy(across, p.product.problem.a.bytes.data(), bytes, cudaMemcpyDefault), "copying A");
  p.product.poison();
  const std::string said = refusal_of(
      [&] { sectile::launch<gemm>(p.product.problem.a.const_view(across), p.product.b_view(), p.product.c_view()); });
  p.count.expect(said.empty(), "A across two pieces of mapped memory", said);
  p.count.expect(p.product.download() == p.good, "A across two pieces of mapped memory", "another result");
  unsigned char* const over = memory.base + 2 * memory.piece_bytes - half;
  const std::string refused = refusal_of(
      [&] { sectile::launch<gemm>(p.product.problem.a.const_view(over), p.product.b_view(), p.product.c_view()); });
  p.count.expect(contains(refused, "no memory was mapped") || contains(refused, "what was allocated ends at"),
                 "A over the end of mapped memory", "got '" + refused + "'");
  p.expect_usable("A over the end of mapped memory");
}

int run() {
  if (const std::string no_gpu = why_no_gpu(); !no_gpu.empty()) {
    std::printf("skipped: %s\n", no_gpu.c_str());
    return exit_skipped;
  }
  tally count;
  probe p(count);
  test_pointers(p);
  test_sizes(p);
  test_strides(p);
  test_attention_sizes(p);
  test_overlap(p);
  test_kinds_of_memory(p);
  test_ranges(p);
  test_pool(p);
  test_mapped_memory(p);
  std::printf("%d checks, %d failures\n", count.checks, count.failures);
  return count.failures ? 1 : 0;
}

}  // namespace

int main() {
  try {
    return run();
  } catch (const std::exception& e) {
    std::fprintf(stderr, "gpu_bad_launch: %s\n", e.what());
    return 1;
  }
}
