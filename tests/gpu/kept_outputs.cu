// Kernels that store several matrices, on a GPU and on the model. Operands are small whole numbers, so all has the same
// bits; but for gelu, whose exponentials differ within a few units of the last place. Each launch is repeated, also as
// a graph. Exits with 77 where there is no GPU.
#include <sectile/dsl/launch/checked_device.hpp>
#include <sectile/kernels/linear_outputs.hpp>

#include "tests/gpu/output_pairs.hpp"
#include "tests/programs/kept_outputs.hpp"

namespace {

using namespace sectile;
using namespace sectile::gpu_test;
using namespace sectile::test;

constexpr int m = 456, n = 523, k = 208, pitch = 528;

template <class First, class Second>
void check_outputs(const char* name, auto run) {
  shared_memory<bf16> a(m * k), b(n * k);
  shared_memory<float> bias(n, 1);
  a.fill(1), b.fill(2), bias.fill(3);
  output_pair<First> z("Z", m * pitch);
  output_pair<Second> c("C", m * pitch);
  compare(
      name,
      [&](bool d, cudaStream_t s) {
        run(d, s, matrix(a.in(), m, k), matrix(b.in(), n, k), tensor(bias.in(), n), matrix(z.on(d), m, n, pitch),
            matrix(c.on(d), m, n, pitch));
      },
      z, c);
}
template <class First, class Second, configuration How>
void check_kept(const char* name) {
  check_outputs<First, Second>(name, [](auto... all) { run_on<kept_sums<First, Second, How>>(all...); });
}

/// On the debug machine, which is waited for: no graph.
void check_checked() {
  using kernel = kept_sums<bf16, float, of_clusters>;
  shared_memory<bf16> a(m * k), b(n * k);
  shared_memory<float> bias(n);
  a.fill(1), b.fill(2), bias.fill(3);
  output_pair<bf16> z("Z", m * pitch);
  output_pair<float> c("C", m * pitch);
  for (const bool d : {false, true}) {
    const auto first = matrix(z.on(d), m, n, pitch);
    const auto second = matrix(c.on(d), m, n, pitch);
    if (d)
      launch<checked<kernel>>(matrix(a.in(), m, k), matrix(b.in(), n, k), tensor(bias.in(), n), first, second);
    else
      run_on_model<kernel>(matrix(a.in(), m, k), matrix(b.in(), n, k), tensor(bias.in(), n), first, second);
  }
  check(cudaDeviceSynchronize());
  z.compare("two outputs on the debug machine");
  c.compare("two outputs on the debug machine");
}

void check_batches() {
  constexpr int batches = 3, rows = 200, cols = 72;
  shared_memory<bf16> a(batches * rows * k), b(cols * k);
  shared_memory<f16> r(batches * rows * cols);
  a.fill(1), b.fill(2), r.fill(3);
  output_pair<f16> half("half", batches * rows * cols);
  output_pair<bf16> brief("short", batches * rows * cols);
  output_pair<e4m3> small("small", batches * rows * cols / 72 * 80);
  output_pair<float> full("long", batches * rows * cols);
  compare(
      "four outputs of a batch",
      [&](bool d, cudaStream_t s) {
        run_on<four_of_a_batch<of_batches>>(
            d, s, tensor(a.in(), batches, rows, k), matrix(b.in(), cols, k), tensor(r.in(), batches, rows, cols),
            tensor(half.on(d), batches, rows, cols), tensor(brief.on(d), batches, rows, cols),
            tensor_view<e4m3>{small.on(d), 3, {batches, rows, cols}, {rows * 80, 80, 1}},
            tensor(full.on(d), batches, rows, cols));
      },
      half, brief, small, full);
}

void check_gelu() {
  constexpr int cols = 520;
  shared_memory<bf16> a(m * k), w(cols * k), bias(cols);
  a.fill(1), w.fill(2), bias.fill(3);
  output_pair<bf16> z("Z", m * cols), c("C", m * cols, 0x1p-7);
  compare(
      "linear_gelu_aux",
      [&](bool d, cudaStream_t s) {
        run_on<kernels::linear_gelu_aux<bf16>>(d, s, matrix(a.in(), m, k), matrix(w.in(), cols, k),
                                               tensor(bias.in(), cols), matrix(z.on(d), m, cols),
                                               matrix(c.on(d), m, cols));
      },
      z, c);
}

constexpr configuration overlapping{
    .tile = of_clusters.tile, .stages = 3, .cluster = {2, 1}, .persistent = true, .overlap = launch_overlap::both};

}  // namespace

int main() {
  int devices = 0;
  if (cudaGetDeviceCount(&devices) != cudaSuccess || devices == 0) {
    std::printf("skipped: no GPU\n");
    return 77;
  }
  check_kept<bf16, bf16, upright>("two outputs");
  check_kept<float, f16, tall>("two outputs, two blocks of rows");
  check_kept<bf16, float, of_clusters>("two outputs, persistent clusters");
  check_kept<bf16, bf16, overlapping>("two outputs, under the kernel before");
  check_kept<bf16, bf16, of_few_buffers>("two outputs, a buffer for each");
  check_kept<f16, bf16, of_wide_clusters>("two outputs, clusters of two columns");
  check_kept<bf16, f16, of_turns>("two outputs, consumers that take turns");
  check_kept<bf16, float, swapped>("two outputs, swapped");
  check_kept<bf16, e4m3, upright>("two outputs, one of 8 bits");
  check_kept<s8, e4m3, swapped>("two outputs of 8 bits, swapped");
  check_outputs<bf16, float>("two outputs without tensor cores",
                             [](auto... all) { run_without_tensor_cores<kept_sums<bf16, float, tall>>(all...); });
  check_checked();
  check_batches();
  check_gelu();
  return failures > 0;
}
