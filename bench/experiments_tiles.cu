// Tiles of several sizes on products of several sizes. All CTAs stay; stages fill shared memory.
#include <sectile/kernels/gemm.hpp>

#include "bench/experiments.hpp"

namespace sectile::bench {

namespace {

template <int M, int N, int Stages, int Consumers, int ClusterRows, int ClusterCols>
struct tile : kernels::gemm_bf16 {
  static constexpr configuration how{.tile = {{"M", M}, {"N", N}, {"K", 64}},
                                     .stages = Stages,
                                     .cluster = {ClusterRows, ClusterCols},
                                     .consumers = Consumers,
                                     .persistent = true};
};

void try_on(const shape& s, experiments& to) {
  std::vector<ladder_operands> sets = ladder_sets(s, to.on);
  product_trials<ladder_operands> t("tiles", sets, bf16_bar, to.on);
  t.program<kernels::gemm_bf16>("128 x 256", "128 x 256, clusters of 2 x 1");
  t.program<tile<128, 256, 4, 2, 1, 1>>("128 x 256, alone", "128 x 256, no cluster");
  t.program<tile<256, 128, 4, 2, 1, 2>>("256 x 128", "256 x 128, clusters of 1 x 2");
  t.program<tile<128, 192, 4, 2, 2, 1>>("128 x 192", "128 x 192, clusters of 2 x 1");
  t.program<tile<128, 128, 5, 2, 2, 1>>("128 x 128", "128 x 128, clusters of 2 x 1");
  t.program<tile<64, 256, 5, 1, 1, 1>>("64 x 256", "64 x 256, no cluster");
  t.program<tile<64, 128, 7, 1, 1, 1>>("64 x 128", "64 x 128, no cluster");
  t.program<tile<64, 64, 8, 1, 1, 1>>("64 x 64", "64 x 64, no cluster");
  t.time(to);
}

}  // namespace

void try_tiles(experiments& to) {
  for (const shape& s : {shape{8192, 8192, 8192}, shape{4096, 4096, 4096}, shape{2304, 2304, 4096},
                         shape{1024, 1024, 4096}, shape{512, 4096, 4096}, shape{64, 8192, 8192}})
    try_on(s, to);
}

}  // namespace sectile::bench
