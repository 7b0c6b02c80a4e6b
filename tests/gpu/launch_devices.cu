// Launches on several GPUs of one host.
//
//   gpu_launch_devices
//
// A kernel on each device, from threads of each, memory and streams of the wrong device, peer access, and the reset of
// one device while another goes on. Exit code: 0 if all is right, 1 if not, 77 with fewer than two GPUs.
#include <sectile/dsl/launch/launch.hpp>
#include <sectile/kernels/gemm.hpp>

#include <algorithm>
#include <exception>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "tests/gpu/refusing.hpp"

namespace {

using namespace sectile::gpu_test;
using sectile::bf16;
using gemm = sectile::kernels::gemm_bf16;
using product = device_product<bf16>;

void use(int device) { check(cudaSetDevice(device), "switching to a device"); }

std::unique_ptr<product> product_on(int device, int index) {
  use(device);
  return std::make_unique<product>(index);
}

/// Each thread launches on all devices in turn; every product has its own result.
void test_threads(tally& count, int devices) {
  constexpr int threads = 6, rounds = 50;
  std::vector<std::string> thrown(threads);
  std::vector<double> worst(threads);
  {
    std::vector<std::jthread> running;
    for (std::size_t t = 0; t < threads; ++t)
      running.emplace_back([&, t] {
        try {
          std::vector<std::unique_ptr<product>> own;
          for (int d = 0; d < devices; ++d) own.push_back(product_on(d, 100 + static_cast<int>(t)));
          for (int r = 0; r < rounds; ++r)
            for (int d = 0; d < devices; ++d) {
              use(d);
              own[static_cast<std::size_t>(d)]->queue(cudaStreamPerThread);
            }
          for (int d = 0; d < devices; ++d) {
            use(d);
            sectile::finish(cudaStreamPerThread);
            product& p = *own[static_cast<std::size_t>(d)];
            p.download();
            worst[t] = std::max(worst[t], relative_error(p.problem, p.out));
          }
        } catch (const std::exception& e) {
          thrown[t] = e.what();
        }
      });
  }
  for (std::size_t t = 0; t < threads; ++t) {
    count.expect(thrown[t].empty(), "thread " + std::to_string(t), thrown[t]);
    count.expect(worst[t] <= 4e-3, "thread " + std::to_string(t), "relative error " + std::to_string(worst[t]));
  }
}

void test_memory_and_streams(tally& count) {
  const auto there = product_on(1, 100);
  cudaStream_t stream_there{};
  check(cudaStreamCreateWithFlags(&stream_there, cudaStreamNonBlocking), "creating a stream on device 1");
  use(0);
  probe p(count);
  expect_refused(p, "A on another device",
                 "operand A: the memory is on device 1, the current device is 0 and has no access",
                 [&](const auto& g) { sectile::launch<gemm>(there->a_view(), g.b_view(), g.c_view()); });
  expect_refused(p, "C on another device", "operand C: the memory is on device 1",
                 [&](const auto& g) { sectile::launch<gemm>(g.a_view(), g.b_view(), there->c_view()); });
  expect_refused(p, "a stream of another device", "the stream belongs to device 1",
                 [&](const auto& g) { sectile::launch<gemm>(g.a_view(), g.b_view(), g.c_view(), stream_there); });
  int possible = 0;
  check(cudaDeviceCanAccessPeer(&possible, 0, 1), "asking for peer access");
  if (!possible) {
    std::printf("left out: peer access (these devices have none)\n");
    return;
  }
  check(cudaDeviceEnablePeerAccess(1, 0), "enabling peer access");
  p.product.poison();
  const std::string said =
      refusal_of([&] { sectile::launch<gemm>(there->a_view(), p.product.b_view(), p.product.c_view()); });
  count.expect(said.empty(), "A on another device with peer access", said);
  count.expect(p.product.download() == p.good, "A on another device with peer access", "another result");
  check(cudaDeviceDisablePeerAccess(1), "disabling peer access");
  expect_refused(p, "A on another device again", "operand A: the memory is on device 1",
                 [&](const auto& g) { sectile::launch<gemm>(there->a_view(), g.b_view(), g.c_view()); });
  use(1);
  check(cudaStreamDestroy(stream_there), "destroying a stream");
}

void test_reset(tally& count) {
  use(0);
  probe p(count);
  for (int round = 0; round < 3; ++round) {
    {
      const auto there = product_on(1, 101);
      there->run();
      const double error = relative_error(there->problem, there->out);
      count.expect(error <= 4e-3, "device 1", "relative error " + std::to_string(error));
    }
    check(cudaDeviceReset(), "resetting device 1");
    use(0);
    p.expect_usable("a reset of the other device");
  }
}

int run() {
  int devices = 0;
  std::string why = why_no_gpu();
  if (why.empty()) {
    check(cudaGetDeviceCount(&devices), "counting devices");
    if (devices < 2) why = "there is one GPU, these tests need two";
  }
  if (!why.empty()) {
    std::printf("skipped: %s\n", why.c_str());
    return exit_skipped;
  }
  tally count;
  test_threads(count, devices);
  test_memory_and_streams(count);
  test_reset(count);
  std::printf("%d checks, %d failures on %d devices\n", count.checks, count.failures, devices);
  return count.failures ? 1 : 0;
}

}  // namespace

int main() {
  try {
    return run();
  } catch (const std::exception& e) {
    std::fprintf(stderr, "gpu_launch_devices: %s\n", e.what());
    return 1;
  }
}
