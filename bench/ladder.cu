// One GEMM body on the rungs of a ladder: thread by thread, through nvcuda::wmma, through wgmma; and cuBLASLt at the
// top.
//
//   bench_ladder [SIZE]        C = A B^T of SIZE x SIZE x SIZE, 4096 unless given; a multiple of 8
//
// All rungs run the same kernel type; only the reading differs. The fast rungs are timed in turns, the slow one in
// turns with the rung above it. Every result is compared with cuBLASLt's; the exit code is 1 if one differs.
#include <sectile/dsl/launch/launch.hpp>
#include <sectile/dsl/launch/portable.hpp>
#include <sectile/kernels/gemm.hpp>

#include <cstdio>
#include <cstdlib>
#include <exception>
#include <string>
#include <vector>

#include "bench/cublaslt.hpp"
#include "bench/device_data.hpp"
#include "bench/timing.hpp"

namespace {

using namespace sectile::bench;
using sectile::bf16;
using sectile::f16;
using sectile::matrix;
using sectile::kernels::gemm;
using sectile::portable::simt;
using sectile::portable::wmma;

constexpr double error_bar = 3e-3;  // both round the same sums to 8 bits, so they differ where the sums straddle a tie

template <class To, class From>
__global__ void convert(To* to, const From* from, std::size_t count) {
  const std::size_t step = static_cast<std::size_t>(gridDim.x) * blockDim.x;
  for (std::size_t i = blockIdx.x * static_cast<std::size_t>(blockDim.x) + threadIdx.x; i < count; i += step)
    to[i] = To(static_cast<float>(from[i]));
}
template <class To, class From>
void convert(device_buffer<To>& to, const device_buffer<From>& from) {
  convert<<<data_blocks, data_threads>>>(to.data, from.data, from.count);
  check(cudaGetLastError(), "converting a buffer");
}

/// The operands of one product of elements of type T.
template <class T>
struct operands {
  std::int64_t size;
  device_buffer<T> a, b, c;

  explicit operands(std::int64_t n) : size(n), a(elements(n)), b(elements(n)), c(elements(n)) {}
  static std::size_t elements(std::int64_t n) { return static_cast<std::size_t>(n * n); }

  auto in(const device_buffer<T>& x) const { return matrix(static_cast<const T*>(x.data), size, size); }
  void by_wgmma(cudaStream_t on) const { sectile::launch<gemm<T, T, T>>(in(a), in(b), matrix(c.data, size, size), on); }
  template <class How>
  void by(cudaStream_t on) const {
    sectile::launch_portable<gemm<T, T, T>, How>(in(a), in(b), matrix(c.data, size, size), on);
  }
};

struct rung {
  std::string name;
  contestant runner;
  race_time time{};
  double error = 0;
};

/// The distance of a rung's result from cuBLASLt's.
template <class T>
double error_of(rung& r, operands<T>& x, const device_buffer<bf16>& expected, const stream& on) {
  x.c.poison();
  check(cudaDeviceSynchronize(), "poisoning the output");
  r.runner.queue(0, on.handle);
  on.wait();
  device_buffer<bf16> found(x.c.count);
  convert(found, x.c);
  return relative_error(found, expected);
}

void print(const std::vector<rung>& rungs, std::int64_t size, double top) {
  const double flops = 2.0 * static_cast<double>(size) * static_cast<double>(size) * static_cast<double>(size);
  std::printf("%-34s %10s %9s %9s %9s %9s\n", "rung", "ms", "TFLOP/s", "cuBLASLt", "rung/rung", "rel. err.");
  double below = 0;
  for (const rung& r : rungs) {
    const double speed = flops / r.time.median * 1e-9;
    std::printf("%-34s %10.4f %9.1f %8.1f%%", r.name.c_str(), r.time.median, speed, 100 * top / r.time.median);
    below > 0 ? std::printf(" %8.2fx", speed / below) : std::printf(" %9s", "");
    std::printf(" %9.1e%s\n", r.error, r.error <= error_bar ? "" : "  WRONG");
    below = speed;
  }
}

int run(std::int64_t size) {
  cudaDeviceProp device{};
  check(cudaGetDeviceProperties(&device, 0), "looking for a GPU");
  const stream on;
  operands<bf16> x(size);
  operands<f16> y(size);
  fill_random(x.a, 1);
  fill_random(x.b, 2);
  convert(y.a, x.a);
  convert(y.b, x.b);
  device_buffer<bf16> expected(x.c.count);
  const lt_product lt(size, size, size);
  const auto theirs = [&](int, cudaStream_t to) { lt.run(0, x.a.data, x.b.data, expected.data, to); };
  check(cudaDeviceSynchronize(), "filling the operands");
  theirs(0, on.handle);
  on.wait();

  std::vector<rung> rungs{{"SIMT, bf16", {[&](int, cudaStream_t to) { x.by<simt>(to); }}},
                          {"WMMA 16x16x16, bf16", {[&](int, cudaStream_t to) { x.by<wmma<>>(to); }}},
                          {"WMMA 16x16x16, f16", {[&](int, cudaStream_t to) { y.by<wmma<>>(to); }}},
                          {"WMMA 32x8x16, f16", {[&](int, cudaStream_t to) { y.by<wmma<32, 8>>(to); }}},
                          {"WMMA 8x32x16, f16", {[&](int, cudaStream_t to) { y.by<wmma<8, 32>>(to); }}},
                          {"wgmma, bf16", {[&](int, cudaStream_t to) { x.by_wgmma(to); }}},
                          {"wgmma, f16", {[&](int, cudaStream_t to) { y.by_wgmma(to); }}}};
  bool right = true;
  for (rung& r : rungs) {
    r.error = r.name.ends_with("bf16") ? error_of(r, x, expected, on) : error_of(r, y, expected, on);
    right = right && r.error <= error_bar;
  }

  std::vector<contestant> fast{{theirs}};
  for (std::size_t i = 1; i < rungs.size(); ++i) fast.push_back(rungs[i].runner);
  const std::vector<race_time> times = race(fast, on, {});
  for (std::size_t i = 1; i < rungs.size(); ++i) rungs[i].time = times[i];
  rungs[0].time = race({rungs[0].runner, rungs[1].runner}, on, {.rounds = 3})[0];
  rungs.push_back({"cuBLASLt, bf16, its first choice", {theirs}, times[0], 0});

  std::printf("%s, %lld x %lld x %lld, standard-normal data; medians\n", device.name, static_cast<long long>(size),
              static_cast<long long>(size), static_cast<long long>(size));
  print(rungs, size, times[0].median);
  return right ? 0 : 1;
}

}  // namespace

int main(int count, char** words) {
  try {
    const std::int64_t size = count > 1 ? std::atoll(words[1]) : 4096;
    if (count > 2 || size < 8 || size % 8) throw std::runtime_error("usage: bench_ladder [SIZE], a multiple of 8");
    return run(size);
  } catch (const std::exception& e) {
    std::fprintf(stderr, "bench_ladder: %s\n", e.what());
    return 2;
  }
}
