// Consumers with tiles of their own, by turns and abreast, on a GPU and on the model: the same bits. There are several
// times as many tiles as SMs, so that consumers take many turns. Exits with 77 where there is no GPU.
#include <sectile/kernels/gemm.hpp>
#include <sectile/kernels/linear.hpp>

#include "tests/gpu/output_pairs.hpp"

namespace {

using namespace sectile;
using namespace sectile::gpu_test;

constexpr configuration two{.stages = 4, .consumers = 2, .own_tiles = true, .persistent = true};
constexpr configuration three{.stages = 4, .cluster = {2, 1}, .consumers = 3, .own_tiles = true, .persistent = true};
constexpr configuration swapped{
    .stages = 4, .cluster = {1, 2}, .consumers = 2, .own_tiles = true, .persistent = true, .swap = true};

constexpr configuration abreast{.stages = 4, .consumers = 2, .abreast = true};
constexpr configuration three_abreast{
    .stages = 4, .cluster = {2, 1}, .consumers = 3, .abreast = true, .persistent = true};
constexpr configuration swapped_abreast{
    .stages = 4, .cluster = {1, 2}, .consumers = 2, .abreast = true, .persistent = true, .swap = true};
constexpr configuration parts_abreast{.stages = 4, .consumers = 2, .abreast = true, .split = 2};

template <int M, int N, configuration How, class Out = bf16>
struct product : kernels::gemm<bf16, bf16, Out> {
  static constexpr configuration how = How.with_tile({{"M", M}, {"N", N}, {"K", 64}});
};

/// Ragged along both modes.
constexpr int m = 1500, n = 1496;

template <class Kernel, class Out>
void check_product(const char* name, int k) {
  shared_memory<bf16> a(m * k), b(n * k);
  fill_any(a, 1), fill_any(b, 2);
  output_pair<Out> c("C", m * n);
  compare(
      name,
      [&](bool d, cudaStream_t s) {
        run_on<Kernel>(d, s, matrix(a.in(), m, k), matrix(b.in(), n, k), matrix(c.on(d), m, n));
      },
      c);
}

struct residual : kernels::linear_residual<bf16, kernels::activation::relu> {
  static constexpr configuration how = two.with_tile({{"M", 64}, {"N", 64}, {"K", 64}});
};
void check_residual() {
  constexpr int k = 136;
  shared_memory<bf16> a(m * k), w(n * k), bias(n), r(m * n);
  fill_any(a, 1), fill_any(w, 2), fill_any(bias, 3), fill_any(r, 4);
  output_pair<bf16> c("C", m * n);
  compare(
      "bias and residual",
      [&](bool d, cudaStream_t s) {
        run_on<residual>(d, s, matrix(a.in(), m, k), matrix(w.in(), n, k), tensor(bias.in(), n), matrix(r.in(), m, n),
                         matrix(c.on(d), m, n));
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
  for (const int k : {8, 64, 200}) check_product<product<64, 64, two>, bf16>("two consumers", k);
  check_product<product<64, 88, two, float>, float>("sums of 32 bits", 136);
  check_product<product<128, 48, two>, bf16>("two blocks of rows", 200);
  check_product<product<64, 64, three>, bf16>("three consumers in clusters", 200);
  check_product<product<32, 64, swapped>, bf16>("tiles of the transpose", 200);
  check_product<product<64, 88, abreast>, bf16>("two consumers abreast", 200);
  check_product<product<64, 64, three_abreast>, bf16>("three consumers abreast in clusters", 200);
  check_product<product<32, 64, swapped_abreast>, bf16>("tiles of the transpose abreast", 200);
  check_product<product<64, 64, parts_abreast>, bf16>("parts of sums abreast", 328);
  check_residual();
  return failures > 0;
}
