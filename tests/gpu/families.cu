// A row has the same bits alone and in every batch of up to 300 rows, whichever member of a family a launch picks:
// batch invariance, which the types assert (same_sums) and this runs. Also what a pick costs, and what a launch with
// one costs the host. Exits with 77 where there is no GPU.
#include <algorithm>
#include <array>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <sectile/dsl/launch/family.hpp>
#include <sectile/dsl/launch/start.hpp>
#include <vector>

#include "bench/timing.hpp"
#include "tests/gpu/device.hpp"
#include "tests/gpu/family_members.hpp"

namespace {

using namespace sectile;
using gpu_test::check, gpu_test::gemm_launch, gpu_test::gemm_bf16_members, gpu_test::launch_gemm_bf16_family;

constexpr int rows = 300, n = 456, k = 1032;

struct buffers {
  bf16 *a, *b, *c;

  void multiply(gemm_launch launch, int row_count, int col_count, int depth, cudaStream_t stream = {}) const {
    launch(matrix<const bf16>(a, row_count, depth), matrix<const bf16>(b, col_count, depth),
           matrix(c, row_count, col_count), stream);
  }
};

void run(const buffers& x, int m, gemm_launch launch) {
  check(cudaMemset(x.c, 0xFF, sizeof(bf16) * rows * n), "clearing C");
  x.multiply(launch, m, n, k);
}
std::vector<std::uint16_t> result(const buffers& x) {
  std::vector<std::uint16_t> bits(rows * n);
  check(cudaMemcpy(bits.data(), x.c, 2 * bits.size(), cudaMemcpyDeviceToHost), "copying back");
  return bits;
}

int differing(const std::vector<std::uint16_t>& c, const std::vector<std::uint16_t>& expected, int m) {
  int wrong = 0;
  for (int i = 0; i < m * n; ++i) wrong += c[static_cast<std::size_t>(i)] != expected[static_cast<std::size_t>(i)];
  for (int i = m * n; i < rows * n; ++i) wrong += c[static_cast<std::size_t>(i)] != 0xFFFF;  // nothing behind it
  return wrong;
}

int check_members(const buffers& x, const std::vector<std::uint16_t>& expected) {
  int failures = 0, runs = 0;
  for (const gpu_test::family_member& member : gemm_bf16_members())
    for (const int m : {1, 2, 7, 63, 64, 65, 127, 128, 129, 191, 192, 193, 255, 256, 257, 299, 300}) {
      run(x, m, member.launch);
      ++runs;
      if (const int wrong = differing(result(x), expected, m)) {
        std::printf("FAIL %s, %d rows: %d elements differ\n", member.name.c_str(), m, wrong);
        ++failures;
      }
    }
  std::printf("%s members: %d runs of %zu members\n", failures ? "FAIL" : "ok  ", runs, gemm_bf16_members().size());
  return failures;
}

/// Microseconds of a pick for sizes that are not remembered, and for those that are.
void time_picks() {
  const gpu_constants& gpu = hopper::current_constants();
  using clock = std::chrono::steady_clock;
  constexpr int picks = 20000, rounds = 9;
  int sum = 0;
  std::array<double, rounds> us{};
  for (double& each : us) {
    const auto begin = clock::now();
    for (int i = 0; i < picks; ++i)
      sum += choose(gpu_test::gemm_bf16_family_facts(), {{"M", 1 + i}, {"N", 4096}, {"K", 4096}}, gpu).member;
    each = std::chrono::duration<double, std::micro>(clock::now() - begin).count() / picks;
  }
  std::sort(us.begin(), us.end());
  std::printf("      a pick takes %.2f us, %.2f to %.2f (sum %d)\n", us[rounds / 2], us.front(), us.back(), sum);
}

__global__ void nothing() {}

/// Microseconds that a launch takes the host: an empty kernel's, a member's, and the family's for sizes whose pick is
/// remembered and for sizes that change from launch to launch, more than are remembered.
void time_launches(const buffers& x) {
  const bench::stream on;
  const auto cost = [&](gemm_launch launch, bool changing) {
    constexpr int m = 128, cols = 256, depth = 64;
    return bench::host_microseconds(
        on, [&](int call) { x.multiply(launch, changing ? 1 + call : m, cols, depth, on.handle); });
  };
  const double alone = cost(gemm_bf16_members().front().launch, false), same = cost(launch_gemm_bf16_family, false),
               other = cost(launch_gemm_bf16_family, true);
  const double empty = bench::host_microseconds(on, [&](int) { nothing<<<1, 128, 0, on.handle>>>(); });
  std::printf(
      "      a launch takes the host %.2f us, %.2f us if the sizes change each time; of a member %.2f us, of an empty "
      "kernel %.2f us\n",
      same, other, alone, empty);
}

}  // namespace

int main() {
  if (const std::string why = gpu_test::why_no_gpu(); !why.empty()) {
    std::printf("left out: %s\n", why.c_str());
    return gpu_test::exit_skipped;
  }
  int failures = 0;
  try {
    buffers x{};
    check(cudaMalloc(&x.a, sizeof(bf16) * rows * k), "memory");
    check(cudaMalloc(&x.b, sizeof(bf16) * n * k), "memory");
    check(cudaMalloc(&x.c, sizeof(bf16) * rows * n), "memory");
    std::vector<bf16> numbers(static_cast<std::size_t>(std::max(rows, n)) * k);
    std::uint32_t state = 1;
    for (bf16* to : {x.a, x.b}) {
      const std::size_t count = static_cast<std::size_t>(to == x.a ? rows : n) * k;
      for (std::size_t i = 0; i < count; ++i) {
        state = state * 1664525u + 1013904223u;
        numbers[i] = bf16(static_cast<float>(static_cast<std::int32_t>(state)) * 0x1p-30f);
      }
      check(cudaMemcpy(to, numbers.data(), count * sizeof(bf16), cudaMemcpyHostToDevice), "copying");
    }
    run(x, rows, gemm_bf16_members().front().launch);
    const std::vector<std::uint16_t> expected = result(x);
    failures += check_members(x, expected);
    int picked_failures = 0;
    for (int m = 1; m <= rows; ++m) {
      run(x, m, launch_gemm_bf16_family);
      picked_failures += differing(result(x), expected, m) != 0;
    }
    std::printf("%s picks: batches of 1 to %d rows, %d differ\n", picked_failures ? "FAIL" : "ok  ", rows,
                picked_failures);
    failures += picked_failures;
    time_picks();
    time_launches(x);
  } catch (const std::exception& e) {
    std::printf("FAIL %s\n", e.what());
    ++failures;
  }
  return failures ? 1 : 0;
}
