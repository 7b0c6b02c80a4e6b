// Rows that the CTAs of a cluster share, on a GPU and on the model: the same bits. There are several times as many rows
// as clusters, so that buffers and barriers of the exchange take many turns. Exits with 77 where there is no GPU.
#include <sectile/dsl/launch/checked_device.hpp>

#include "tests/gpu/long_rows.hpp"

namespace {

using namespace sectile;
using namespace sectile::gpu_test;

/// Three exchanges of each row: the third takes the buffer of the first.
template <configuration How>
struct three_numbers {
  static constexpr auto operands = sectile::operands(input<"X(M,N)", float>(), output<"Y(M,N)", float>());
  static constexpr configuration how = How;

  static constexpr void body(auto& sm, auto X, auto Y) {
    auto [m, n] = sm.wide_tile_of(Y);
    const auto x = in_registers(sm.load(X, {m, n}));
    sm.store(Y, {m, n}, x * row_max(x) - row_min(x) * row_sum(x).total());
  }
};
/// Rows of a product, divided by their sums.
template <configuration How>
struct divided_product {
  static constexpr auto operands =
      sectile::operands(input<"A(M,K)", bf16>(), input<"B(N,K)", bf16>(), output<"C(M,N)", float>());
  static constexpr configuration how = How;

  static constexpr void body(auto& sm, auto A, auto B, auto C) {
    auto [m, n] = sm.wide_tile_of(C);
    auto acc = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A))) acc += sm.load(A, {m, k}) * transpose(sm.load(B, {n, k}));
    sm.store(C, {m, n}, acc / row_sum(acc).total());
  }
};

constexpr configuration one{
    .tile = {{"M", 8}, {"N", 64}}, .stages = 2, .cluster = {1, 2}, .consumers = 1, .swap = true};
constexpr configuration two{
    .tile = {{"M", 16}, {"N", 128}}, .stages = 3, .cluster = {1, 4}, .consumers = 2, .persistent = true, .swap = true};
constexpr configuration own{.tile = {{"M", 8}, {"N", 64}},
                            .stages = 4,
                            .cluster = {1, 8},
                            .consumers = 3,
                            .own_tiles = true,
                            .persistent = true,
                            .swap = true};
constexpr configuration square{
    .tile = {{"M", 8}, {"N", 64}}, .stages = 2, .cluster = {2, 2}, .consumers = 1, .persistent = true, .swap = true};
constexpr configuration of_products{
    .tile = {{"M", 64}, {"N", 64}, {"K", 64}}, .stages = 3, .cluster = {1, 2}, .consumers = 1, .persistent = true, .swap = true};

template <class Kernel>
void check_rows(const char* name, int m, int n) {
  shared_memory<float> x(m * n);
  fill_any(x, 1);
  output_pair<float> y("Y", m * n);
  const auto run = [&](bool d, cudaStream_t s) { run_on<Kernel>(d, s, matrix(x.in(), m, n), matrix(y.on(d), m, n)); };
  if constexpr (checked_kernel<Kernel>) {  // the debug machine is waited for: no graph
    run(true, nullptr), run(false, nullptr);
    check(cudaDeviceSynchronize());
    y.compare(name);
  } else {
    compare(name, run, y);
  }
}
void check_product() {
  constexpr int m = 4000, n = 124, k = 200;
  shared_memory<bf16> a(m * k), b(n * k);
  fill_any(a, 1), fill_any(b, 2);
  output_pair<float> c("C", m * n);
  compare(
      "a product",
      [&](bool d, cudaStream_t s) {
        run_on<divided_product<of_products>>(d, s, matrix(a.in(), m, k), matrix(b.in(), n, k), matrix(c.on(d), m, n));
      },
      c);
}

}  // namespace

int main() {
  int devices = 0;
  if (cudaGetDeviceCount(&devices) != cudaSuccess || devices == 0) {
    std::printf("skipped: no GPU\n");
    return 77;
  }
  check_rows<three_numbers<one>>("one consumer", 3001, 128);
  check_rows<three_numbers<two>>("two consumers", 5003, 500);
  check_rows<three_numbers<own>>("tiles of their own", 9001, 452);
  check_rows<three_numbers<square>>("rows of CTAs above each other", 5001, 100);
  check_rows<checked<three_numbers<own>>>("tiles of their own, checked", 9001, 452);
  check_product();
  check_long_rows_bf16();
  check_long_rows_f32();
  return failures > 0;
}
