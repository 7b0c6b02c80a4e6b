// Vectors that are summed over tiles in order, on a GPU and on the model: the same bits, of operands that are no whole
// numbers, so that another order of the sums would show. Each launch is repeated, also as a graph, in memory that was
// full of something else; and many times over, as each time another tile comes last. Exits with 77 where there is no
// GPU.
#include <sectile/dsl/launch/checked_device.hpp>
#include <sectile/kernels/linear_outputs.hpp>
#include <vector>

#include "tests/gpu/output_pairs.hpp"
#include "tests/programs/ordered_sums.hpp"
#include "tests/programs/split.hpp"
#include "tests/programs/written_vectors.hpp"

namespace {

using namespace sectile;
using namespace sectile::gpu_test;
using namespace sectile::test;

constexpr int repetitions = 100;

/// queue(stream) again and again: each time the elements of `x` have the bits that they have now.
template <class Queue>
void check_again(const char* name, Queue queue, shared_memory<float>& x) {
  const std::vector<float> first(x.get(), x.get() + x.count);
  int unlike = 0;
  for (int i = 0; i < repetitions; ++i) {
    check(cudaMemset(x.get(), 0xFF, first.size() * sizeof(float)));
    queue(nullptr);
    check(cudaDeviceSynchronize());
    unlike += std::memcmp(x.get(), first.data(), first.size() * sizeof(float)) != 0;
  }
  failures += unlike > 0;
  std::printf("%s %s: %d of %d launches have other bits than the first\n", unlike ? "FAIL" : "ok  ", name, unlike,
              repetitions);
}

/// run<Kernel>(device, stream, operands ..) with a workspace for them; with(device, use) gives the operands.
template <class Kernel, class With, class... Outputs>
void check_kernel(const char* name, With with, output_pair<float>& repeated, Outputs&... outputs) {
  std::size_t bytes = 0;
  with(true, [&](const auto&... operands) { bytes = workspace_bytes<Kernel>(operands...); });
  shared_workspace memory(bytes);
  const auto run = [&](bool device, cudaStream_t stream) {
    with(device, [&](const auto&... operands) { run_on<Kernel>(device, stream, operands..., memory.view()); });
  };
  if constexpr (checked_kernel<Kernel>)  // the debug machine is waited for: no graph
    compare_launches(name, run, nullptr, repeated, outputs...);
  else
    compare(name, run, repeated, outputs...);
  check_again(
      name, [&](cudaStream_t stream) { run(true, stream); }, repeated.gpu);
}

template <configuration How, class Out = float>
void check_sums(const char* name, int m = 1160, int n = 520, int k = 208) {
  shared_memory<bf16> a(m * k), b(n * k);
  fill_any(a, 1), fill_any(b, 2);
  output_pair<Out> c("C", m * n);
  output_pair<float> of_col("along rows", n, 0, 1), of_row("along columns", m, 0, 3), sum("sum", 1, 0, 5);
  check_kernel<sums_in_order<How, Out>>(
      name,
      [&](bool d, const auto& use) {
        use(matrix(a.in(), m, k), matrix(b.in(), n, k), tensor(of_col.on(d), n), tensor(of_row.on(d), m),
            matrix(c.on(d), m, n), tensor(sum.on(d)));
      },
      of_col, of_row, sum, c);
}

void check_rows() {
  constexpr int m = 456, n = 520, k = 208;
  shared_memory<bf16> a(m * k), b(n * k);
  fill_any(a, 1), fill_any(b, 2);
  output_pair<float> c("C", m * n), of_row("along columns", m), sum("sum", 1), most("largest", 1),
      about("sum in any order", 1, 1e-3);
  check_kernel<rows_in_order<upright>>(
      "rows' numbers",
      [&](bool d, const auto& use) {
        use(matrix(a.in(), m, k), matrix(b.in(), n, k), matrix(c.on(d), m, n), tensor(of_row.on(d), m),
            tensor(sum.on(d)), tensor(most.on(d)), tensor(about.on(d)));
      },
      of_row, sum, most, about, c);
}

void check_cols() {
  constexpr int m = 456, n = 520, k = 208;
  shared_memory<bf16> a(m * k), b(n * k);
  fill_any(a, 1), fill_any(b, 2);
  output_pair<float> c("C", m * n), of_col("along rows", n), sum("sum", 1), most("largest", n), least("smallest", 1),
      about("sum in any order", 1, 1e-3);
  check_kernel<cols_in_order<tall>>(
      "columns' numbers",
      [&](bool d, const auto& use) {
        use(matrix(a.in(), m, k), matrix(b.in(), n, k), matrix(c.on(d), m, n), tensor(of_col.on(d), n),
            tensor(sum.on(d)), tensor(most.on(d), n), tensor(least.on(d)), tensor(about.on(d)));
      },
      of_col, sum, most, least, about, c);
}

void check_whole_rows() {
  constexpr configuration how{.tile = {{"M", 64}, {"N", 32}}, .stages = 3, .consumers = 1, .persistent = true};
  constexpr int m = 20040, n = 144;
  shared_memory<bf16> x(m * n);
  fill_any(x, 1);
  output_pair<float> y("Y", m * n, 1e-5), of_row("along columns", m), sum("sum", 1);
  check_kernel<whole_rows_in_order<how>>(
      "whole rows",
      [&](bool d, const auto& use) {
        use(matrix(x.in(), m, n), matrix(y.on(d), m, n), tensor(of_row.on(d), m), tensor(sum.on(d)));
      },
      sum, of_row, y);
}

void check_batches() {
  constexpr int batches = 5, m = 200, k = 72, tiles = 4;
  constexpr configuration how{
      .tile = {{"G", 1}, {"M", 64}, {"K", 64}}, .stages = 4, .consumers = 1, .persistent = true};
  shared_memory<bf16> a(batches * m * k);
  fill_any(a, 1);
  output_pair<float> c("C", batches * m * m), of_col("along rows", batches * m), of_all("of all", m),
      sums("of each", batches), apart("of each tile", tiles * batches * m);
  check_kernel<batch_in_order<how>>(
      "batches",
      [&](bool d, const auto& use) {
        use(tensor(a.in(), batches, m, k), tensor(c.on(d), batches, m, m), tensor(of_col.on(d), batches, m),
            tensor(of_all.on(d), m), tensor(sums.on(d), batches), tensor(apart.on(d), tiles, batches, m));
      },
      of_all, of_col, sums, apart, c);
}

template <class Kernel>
void check_gradient(const char* name) {
  constexpr int m = 2056, n = 520, k = 208;
  shared_memory<bf16> a(m * k), w(k * n), z(m * n);
  fill_any(a, 1), fill_any(w, 2), fill_any(z, 3);
  output_pair<bf16> d("D", m * n);
  output_pair<float> of_bias("the bias's", n);
  check_kernel<Kernel>(
      name,
      [&](bool device, const auto& use) {
        use(matrix(a.in(), m, k), matrix(w.in(), k, n), matrix(z.in(), m, n), matrix(d.on(device), m, n),
            tensor(of_bias.on(device), n));
      },
      of_bias, d);
}

constexpr configuration of_walkers{
    .tile = {{"M", 128}, {"N", 64}, {"K", 64}}, .stages = 3, .consumers = 2, .persistent = true};
constexpr configuration overlapping{
    .tile = of_clusters.tile, .stages = 3, .cluster = {2, 1}, .persistent = true, .overlap = launch_overlap::both};

}  // namespace

int main() {
  int devices = 0;
  if (cudaGetDeviceCount(&devices) != cudaSuccess || devices == 0) {
    std::printf("skipped: no GPU\n");
    return 77;
  }
  check_sums<upright>("sums in order");
  check_sums<narrow>("sums in order, tiles of 24 columns");
  check_sums<tall>("sums in order, two blocks of rows");
  check_sums<of_clusters>("sums in order, persistent clusters");
  check_sums<overlapping>("sums in order, under the kernel before");
  check_sums<of_wide_clusters>("sums in order, clusters of two columns");
  check_sums<swapped>("sums in order, swapped");
  check_sums<of_walkers.with_own_tiles().with_tile({{"M", 64}, {"N", 64}, {"K", 64}})>("sums in order, own tiles");
  check_sums<of_walkers, bf16>("sums in order, rounded outputs");
  check_sums<split_in(2, 64, 64, 64)>("sums in order, a split in a cluster");
  check_sums<split_in(9, 64, 64, 64)>("sums in order, a split in the workspace", 456, 264, 1040);
  check_sums<upright>("sums in order, more tiles than SMs", 8328, 520, 16);
  check_rows();
  check_cols();
  check_whole_rows();
  check_batches();
  check_gradient<kernels::relu_gradient<bf16>>("relu_gradient");
  check_gradient<checked<kernels::relu_gradient<bf16>>>("relu_gradient, checked");
  return failures > 0;
}
