// A row has the same bits alone and in every batch of up to 300 rows, whichever member of a family a launch picks:
// batch invariance, which the types assert (same_sums) and this runs. Also what a pick costs. Exits with 77 where there
// is no GPU.
#include <chrono>
#include <cstdio>
#include <sectile/dsl/launch/launch.hpp>
#include <sectile/kernels/gemm_family.hpp>
#include <vector>

#include "tests/gpu/device.hpp"

namespace {

using namespace sectile;
using gpu_test::check;
using family = kernels::gemm_bf16_family;

constexpr int rows = 300, n = 456, k = 1032;

struct buffers {
  bf16 *a, *b, *c;
};
tensor_view<const bf16> rows_of(const bf16* a, int m) { return matrix(a, m, k); }

template <class K>
void run(const buffers& x, int m) {
  check(cudaMemset(x.c, 0xFF, sizeof(bf16) * rows * n), "clearing C");
  launch<K>(rows_of(x.a, m), matrix(static_cast<const bf16*>(x.b), n, k), matrix(x.c, m, n));
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

template <int... I>
int check_members(const buffers& x, const std::vector<std::uint16_t>& expected, std::integer_sequence<int, I...>) {
  using runner = void (*)(const buffers&, int);
  constexpr runner members[] = {run<member<family, I>>...};
  int failures = 0, runs = 0;
  for (const runner r : members)
    for (const int m : {1, 2, 7, 63, 64, 65, 127, 128, 129, 191, 192, 193, 255, 256, 257, 299, 300}) {
      r(x, m);
      ++runs;
      if (const int wrong = differing(result(x), expected, m)) {
        std::printf("FAIL member %d, %d rows: %d elements differ\n", static_cast<int>(&r - members), m, wrong);
        ++failures;
      }
    }
  std::printf("%s members: %d runs of %d members\n", failures ? "FAIL" : "ok  ", runs, static_cast<int>(sizeof...(I)));
  return failures;
}

/// Microseconds of a pick for sizes that are not remembered, and for those that are.
void time_picks() {
  const gpu_constants& gpu = hopper::current_constants();
  using clock = std::chrono::steady_clock;
  constexpr int picks = 20000;
  int sum = 0;
  const auto begin = clock::now();
  for (int i = 0; i < picks; ++i)
    sum += choose(family_facts_of<family>, {{"M", 1 + i}, {"N", 4096}, {"K", 4096}}, gpu).member;
  const auto end = clock::now();
  std::printf("      a pick takes %.2f us (sum %d)\n",
              std::chrono::duration<double, std::micro>(end - begin).count() / picks, sum);
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
    run<member<family, 0>>(x, rows);
    const std::vector<std::uint16_t> expected = result(x);
    failures += check_members(x, expected, member_numbers<family>{});
    int picked_failures = 0;
    for (int m = 1; m <= rows; ++m) {
      run<family>(x, m);
      picked_failures += differing(result(x), expected, m) != 0;
    }
    std::printf("%s picks: batches of 1 to %d rows, %d differ\n", picked_failures ? "FAIL" : "ok  ", rows,
                picked_failures);
    failures += picked_failures;
    time_picks();
  } catch (const std::exception& e) {
    std::printf("FAIL %s\n", e.what());
    ++failures;
  }
  return failures ? 1 : 0;
}
