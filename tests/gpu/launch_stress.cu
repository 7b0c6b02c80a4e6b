// Launches under stress, on a GPU.
//
//   gpu_launch_stress
//
// Eight threads that race for a kernel's first launch, 100,000 launches without growth and without an allocation,
// streams of every kind, and finish(). Exit code: 0 if all is right, 1 if not, 77 without a GPU.
#include <unistd.h>
#include <sectile/dsl/launch/device.hpp>
#include <sectile/dsl/launch/launch.hpp>
#include <sectile/kernels/gemm.hpp>

#include <cstdio>
#include <exception>
#include <fstream>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "tests/gpu/count_allocations.hpp"
#include "tests/gpu/refusing.hpp"

namespace {

using namespace sectile::gpu_test;
using sectile::bf16;
using gemm = sectile::kernels::gemm_bf16;

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
  const long allocated = allocations();
  burst(launches);
  p.count.expect(allocations() == allocated, "many launches",
                 std::to_string(allocations() - allocated) + " allocations");
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

/// The probe's product on `stream` gives the same bits.
void expect_good_on(probe& p, const std::string& what, cudaStream_t stream) {
  p.product.poison();
  p.product.queue(stream);
  sectile::finish(stream);
  p.count.expect(p.product.download() == p.good, what, "another result");
}

void test_streams(probe& p) {
  expect_good_on(p, "the default stream", nullptr);
  expect_good_on(p, "cudaStreamLegacy", cudaStreamLegacy);
  expect_good_on(p, "cudaStreamPerThread", cudaStreamPerThread);
  for (const unsigned flags : {cudaStreamDefault, cudaStreamNonBlocking})
    for (const int priority : {0, -1}) {
      cudaStream_t stream{};
      check(cudaStreamCreateWithPriority(&stream, flags, priority), "creating a stream");
      expect_good_on(p, "a stream with flags " + std::to_string(flags), stream);
      check(cudaStreamDestroy(stream), "destroying a stream");
    }
}

/// finish() waits for its own stream, and then none of its launches is under suspicion.
void test_finish(probe& p) {
  cudaStream_t stream{};
  check(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), "creating a stream");
  const sectile::launch_place at = sectile::hopper::place_of(0, stream);
  const auto suspected = [&] {
    return contains(sectile::history().suspects(at), sectile::address_text(static_cast<const void*>(stream)));
  };
  p.product.queue(stream);
  p.count.expect(suspected(), "a launch that was not waited for", "it is not in the history");
  sectile::finish(stream);
  p.count.expect(cudaStreamQuery(stream) == cudaSuccess, "finish", "the stream is still busy");
  p.count.expect(!suspected(), "a launch that has finished", "it is still suspected");
  sectile::wait_for_each_launch(true);
  p.product.queue(stream);
  p.count.expect(cudaStreamQuery(stream) == cudaSuccess, "a launch that waits", "the stream is still busy");
  p.count.expect(!suspected(), "a launch that waits", "it is still suspected");
  sectile::wait_for_each_launch(false);
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
  test_streams(p);
  test_finish(p);
  test_many_launches(p);
  std::printf("%d checks, %d failures\n", count.checks, count.failures);
  return count.failures ? 1 : 0;
}

}  // namespace

int main() {
  try {
    return run();
  } catch (const std::exception& e) {
    std::fprintf(stderr, "gpu_launch_stress: %s\n", e.what());
    return 1;
  }
}
