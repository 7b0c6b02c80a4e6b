// A kernel of one's own: C = alpha A B, with B as it comes, K x N in row-major order, and a tile of 128 x 128.
//
// The struct is the whole kernel. What follows from it (swizzles, descriptors, barriers, waits, registers) is derived,
// and the static_assert proves it, or says in the compiler's message why not: try `.stages = 9`
// or `{"N", 100}`.
#include <cstdio>
#include <sectile/dsl/launch/model.hpp>
#include <vector>

#ifdef __CUDACC__
#include "device_array.hpp"
#endif

namespace st = sectile;
using st::bf16;

struct scaled_product {
  static constexpr auto operands =
      st::operands(st::input<"A(M,K)", bf16>(), st::input<"B(K,N)", bf16>(), st::output<"C(M,N)", bf16>(),
                   st::scalar<"alpha", float>());
  static constexpr st::configuration how{.tile = {{"M", 128}, {"N", 128}, {"K", 64}},
                                         .stages = 4,
                                         .cluster = {2, 1},
                                         .consumers = 2,
                                         .persistent = true};

  static constexpr void body(auto& sm, auto A, auto B, auto C, auto alpha) {
    auto [m, n] = sm.tile_of(C);
    auto sum = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A))) sum += sm.load(A, {m, k}) * sm.load(B, {k, n});
    auto scaled = sum * alpha;
    sm.store(C, {m, n}, scaled);
  }
};
static_assert(st::verified<scaled_product>);

namespace {

constexpr int m = 200, n = 264, k = 136;  // rows must be multiples of 16 bytes
constexpr float alpha = 0.25F;

#ifdef __CUDACC__
void run_on_gpu(const std::vector<bf16>& a, const std::vector<bf16>& b, std::vector<bf16>& c) {
  st::hopper::check_device();
  const device_array<bf16> device_a(a), device_b(b), device_c(c);
  st::launch<scaled_product>(st::matrix(device_a.data, m, k), st::matrix(device_b.data, k, n),
                             st::matrix(device_c.data, m, n), alpha);
  device_c.copy_to(c);
}
#endif

/// Returns the name of the machine that did it.
const char* run(const std::vector<bf16>& a, const std::vector<bf16>& b, std::vector<bf16>& c) {
#ifdef __CUDACC__
  try {
    run_on_gpu(a, b, c);
    return "GPU";
  } catch (const st::launch_error& why_not) {
    std::printf("no GPU: %s\n", why_not.what());
  }
#endif
  st::run_on_model<scaled_product>(st::matrix(a.data(), m, k), st::matrix(b.data(), k, n), st::matrix(c.data(), m, n),
                                   alpha);
  return "CPU model";
}

}  // namespace

int main() {
  constexpr const st::plan& plan = st::plan_of<scaled_product>;
  std::printf("scaled_product: %d threads and %d bytes of shared memory a CTA, %d registers a consumer thread\n",
              plan.threads, plan.shared_bytes, plan.consumer_registers);

  std::vector<bf16> a(m * k), b(k * n), c(m * n, bf16(-1.0F));
  for (int i = 0; i < m * k; ++i) a[i] = bf16(static_cast<float>(i % 5 - 2));
  for (int i = 0; i < k * n; ++i) b[i] = bf16(static_cast<float>(i % 3 - 1));

  const char* machine = run(a, b, c);

  for (int row = 0; row < m; ++row)
    for (int col = 0; col < n; ++col) {
      float sum = 0;  // of small whole numbers, so exact
      for (int i = 0; i < k; ++i) sum += static_cast<float>(a[row * k + i]) * static_cast<float>(b[i * n + col]);
      const float expected = static_cast<float>(bf16(alpha * sum));
      if (static_cast<float>(c[row * n + col]) == expected) continue;
      std::printf("C(%d, %d) is %g, not %g\n", row, col, static_cast<float>(c[row * n + col]), expected);
      return 1;
    }
  std::printf("C = alpha A B, %d x %d x %d, on the %s: right\n", m, n, k, machine);
  return 0;
}
