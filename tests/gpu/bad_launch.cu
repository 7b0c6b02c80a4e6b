// Launches that must not happen, and launches under stress, on a GPU.
//
//   gpu_bad_launch
//
// Every bad launch has to be refused with the sentence that names what is wrong, write nothing, and leave the device as
// usable as before: a good launch follows each. Then: memory of other kinds, 100,000 launches without growth, launches
// from eight threads at once, and launches in a CUDA graph. Exit code: 0 if all is right, 1 if not, 77 without a GPU.
#include <unistd.h>
#include <sectile/dsl/launch/launch.hpp>
#include <sectile/kernels/attention.hpp>
#include <sectile/kernels/gemm.hpp>

#include <cstdio>
#include <exception>
#include <fstream>
#include <functional>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "tests/gpu/probe.hpp"

namespace {

using namespace sectile::gpu_test;
using sectile::bf16;
using sectile::tensor_view;
using gemm = sectile::kernels::gemm_bf16;
using attention = sectile::kernels::attention<128, sectile::kernels::attention_mask::none>;

/// `launch` must be refused with a sentence that contains `sentence`, before anything is written.
void expect_refused(probe& p, const std::string& what, const std::string& sentence,
                    const std::function<void(const device_product<bf16>&)>& launch) {
  p.product.poison();
  const std::vector<unsigned char> untouched = p.product.out.bytes;
  std::string said;
  try {
    launch(p.product);
    said = "it was launched";
  } catch (const sectile::launch_error& e) {
    said = e.what();
  }
  p.count.expect(said.find(sentence) != std::string::npos, what, "expected '" + sentence + "', got '" + said + "'");
  p.count.expect(p.product.download() == untouched, what, "memory was written");
  p.expect_usable(what);
}

template <class View>
View moved_by_bytes(View v, int bytes) {
  using element = decltype(*v.data);
  v.data = reinterpret_cast<std::remove_reference_t<element>*>(reinterpret_cast<std::uintptr_t>(v.data) +
                                                               static_cast<std::uintptr_t>(bytes));
  return v;
}

template <class View>
View with_data(View v, decltype(v.data) data) {
  v.data = data;
  return v;
}

template <class View>
View with_extent(View v, int mode, std::int64_t extent) {
  v.extent[mode] = extent;
  return v;
}

template <class View>
View with_stride(View v, int mode, std::int64_t stride) {
  v.stride[mode] = stride;
  return v;
}

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
  expect_refused(p, "more tiles than an int counts", "tiles; a launch takes up to 2147483647", [](const product& g) {
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

void test_memory_of_another_device(probe& p) {
  int devices = 0;
  check(cudaGetDeviceCount(&devices), "counting devices");
  if (devices < 2) {
    std::printf("left out: memory of another device (there is one)\n");
    return;
  }
  void* other = nullptr;
  check(cudaSetDevice(1), "switching to device 1");
  check(cudaMalloc(&other, 1 << 22), "allocating on device 1");
  check(cudaSetDevice(0), "switching back");
  expect_refused(p, "A on another device", "operand A: the memory is on device 1", [=](const auto& g) {
    sectile::launch<gemm>(with_data(g.a_view(), static_cast<const bf16*>(other)), g.b_view(), g.c_view());
  });
  cudaFree(other);
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
}

/// Bytes of device memory in use, and of this process's resident memory.
struct memory_use {
  std::int64_t device = 0, host = 0;
};

memory_use memory_in_use() {
  std::size_t free_bytes = 0, all_bytes = 0;
  check(cudaMemGetInfo(&free_bytes, &all_bytes), "asking for free memory");
  std::int64_t pages = 0, resident = 0;
  std::ifstream("/proc/self/statm") >> pages >> resident;
  return {static_cast<std::int64_t>(all_bytes - free_bytes), resident * sysconf(_SC_PAGESIZE)};
}

void test_many_launches(probe& p) {
  constexpr int launches = 100'000;
  constexpr std::int64_t host_slack = 16 << 20;  // allocators keep what they have once seen
  const auto burst = [&](int count) {
    for (int i = 0; i < count; ++i) p.product.queue();
    check(cudaDeviceSynchronize(), "running many launches");
  };
  p.product.poison();
  burst(launches / 20);
  const memory_use before = memory_in_use();
  burst(launches);
  const memory_use after = memory_in_use();
  const std::string what = std::to_string(launches) + " launches";
  p.count.expect(after.device <= before.device, what,
                 std::to_string(after.device - before.device) + " bytes of the device lost");
  p.count.expect(after.host <= before.host + host_slack, what,
                 std::to_string(after.host - before.host) + " bytes of the host lost");
  p.count.expect(p.product.download() == p.good, what, "another result");
}

/// gemm_bf16_f32 has not been launched before, so the threads race for its first launch, too.
void test_threads(tally& count) {
  constexpr int threads = 8, launches = 200;
  std::vector<std::unique_ptr<device_product<float>>> products;
  for (int i = 0; i < threads; ++i) products.push_back(std::make_unique<device_product<float>>(64 + i));
  std::vector<std::string> thrown(threads);
  {
    std::vector<std::jthread> running;
    for (std::size_t i = 0; i < threads; ++i)
      running.emplace_back([&, i] {
        try {
          cudaStream_t stream{};
          check(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), "creating a stream");
          for (int n = 0; n < launches; ++n) products[i]->queue(stream);
          check(cudaStreamSynchronize(stream), "running launches of a thread");
          check(cudaStreamDestroy(stream), "destroying a stream");
        } catch (const std::exception& e) {
          thrown[i] = e.what();
        }
      });
  }
  for (std::size_t i = 0; i < threads; ++i) {
    const std::string what = "thread " + std::to_string(i);
    count.expect(thrown[i].empty(), what, thrown[i]);
    const std::vector<unsigned char> parallel = products[i]->download();
    const double error = relative_error(products[i]->problem, products[i]->out);
    count.expect(error <= 1e-4, what, "relative error " + std::to_string(error));
    count.expect(products[i]->out.touched() == 0, what, "bytes outside the output were written");
    count.expect(products[i]->run() == parallel, what, "another result than alone");
  }
}

void test_graph(probe& p) {
  cudaStream_t stream{};
  cudaGraph_t graph{};
  cudaGraphExec_t executable{};
  check(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), "creating a stream");
  p.product.poison();
  check(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal), "beginning a capture");
  p.product.queue(stream);
  p.product.queue(stream);
  check(cudaStreamEndCapture(stream, &graph), "ending a capture");
  const std::vector<unsigned char> untouched = p.product.out.bytes;
  p.count.expect(p.product.download() == untouched, "a captured launch", "it ran while it was captured");
  check(cudaGraphInstantiate(&executable, graph, 0), "instantiating a graph");
  for (int replay = 0; replay < 3; ++replay) {
    p.product.poison();
    check(cudaGraphLaunch(executable, stream), "launching a graph");
    p.count.expect(p.product.download() == p.good, "replay " + std::to_string(replay) + " of a graph",
                   "another result");
  }
  check(cudaGraphExecDestroy(executable), "destroying a graph");
  check(cudaGraphDestroy(graph), "destroying a graph");
  check(cudaStreamDestroy(stream), "destroying a stream");
}

int run() {
  if (const std::string no_gpu = why_no_gpu(); !no_gpu.empty()) {
    std::printf("skipped: %s\n", no_gpu.c_str());
    return exit_skipped;
  }
  tally count;
  test_threads(count);
  probe p(count);
  test_pointers(p);
  test_sizes(p);
  test_strides(p);
  test_attention_sizes(p);
  test_memory_of_another_device(p);
  test_graph(p);
  test_many_launches(p);
  test_kinds_of_memory(p);
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
