// Rungs 9 to 11: other configurations of the one program.
#include <sectile/kernels/ladder/persistence.hpp>

#include <memory>

#include "bench/experiments.hpp"

namespace sectile::bench {

namespace {

namespace ladder = kernels::ladder;
using sets = std::vector<ladder_operands>;
using trials = product_trials<ladder_operands>;

/// Rung 9 with another tile.
template <int M, int N, int K, int Stages, int Consumers>
struct tile : ladder::warp_specialization {
  static constexpr configuration how{.tile = {{"M", M}, {"N", N}, {"K", K}}, .stages = Stages, .consumers = Consumers};
};

void try_warp_specialization(sets& on_sets, experiments& to) {
  trials t("warp_specialization", on_sets, bf16_bar, to.on);
  t.program<ladder::warp_specialization>("as it is", "as it is: 128 x 256, 2 consumers, 4 stages");
  t.program<tile<128, 256, 64, 3, 2>>("3 stages", "3 stages");
  t.program<tile<128, 256, 64, 2, 2>>("2 stages", "2 stages");
  t.program<tile<128, 256, 32, 8, 2>>("K by 32", "K by 32, 8 stages");
  t.program<tile<128, 256, 128, 2, 2>>("K by 128", "K by 128, 2 stages");
  t.program<tile<64, 256, 64, 4, 1>>("64 x 256", "64 x 256, 1 consumer");
  t.program<tile<64, 256, 64, 2, 1>>("64 x 256, 2 stages", "64 x 256, 1 consumer, 2 stages");
  t.program<tile<128, 128, 64, 4, 2>>("128 x 128", "128 x 128, 2 consumers");
  t.program<tile<256, 128, 64, 4, 2>>("256 x 128", "256 x 128, 2 consumers");
  t.program<tile<192, 128, 64, 4, 3>>("192 x 128", "192 x 128, 3 consumers");
  t.time(to);
}

/// Rung 10 in clusters of another shape.
template <int Rows, int Cols>
struct in_clusters : ladder::clusters {
  static constexpr configuration how = ladder::clusters::how.with_cluster({Rows, Cols});
};

void try_clusters(sets& on_sets, experiments& to) {
  trials t("clusters", on_sets, bf16_bar, to.on);
  t.program<ladder::clusters>("2 x 1", "2 x 1, as it is: they share B");
  t.program<in_clusters<1, 1>>("1 x 1", "no cluster");
  t.program<in_clusters<1, 2>>("1 x 2", "1 x 2: they share A");
  t.program<in_clusters<2, 2>>("2 x 2", "2 x 2: both");
  t.program<in_clusters<4, 1>>("4 x 1", "4 x 1");
  t.program<in_clusters<1, 4>>("1 x 4", "1 x 4");
  t.program<in_clusters<4, 2>>("4 x 2", "4 x 2");
  t.time(to);
}

/// Rung 11 with another height of the bands in which tiles are visited.
template <int Rows>
struct in_bands : ladder::persistence {
  static constexpr configuration how = ladder::persistence::how.with_group(Rows);
};
struct drawn : ladder::persistence {
  static constexpr configuration how = ladder::persistence::how.with_drawn_tiles();
};
struct streamed : ladder::persistence {
  static constexpr configuration how = ladder::persistence::how.with_streamed_tiles();
};
/// A consumer holds all sums of its tile, so the tile is half as large.
struct own_tiles : ladder::persistence {
  static constexpr configuration how =
      ladder::persistence::how.with_tile({{"M", 128}, {"N", 128}, {"K", 64}}).with_own_tiles();
};
struct half_tiles : ladder::persistence {
  static constexpr configuration how = ladder::persistence::how.with_tile({{"M", 128}, {"N", 128}, {"K", 64}});
};

/// A program that takes a workspace.
template <class K>
void with_workspace(trials& t, const sets& on_sets, const char* name, const char* title) {
  const ladder_operands& x = on_sets[0];
  const auto memory =
      std::make_shared<device_buffer<unsigned char>>(sectile::workspace_bytes<K>(x.a_view(), x.b_view(), x.c_view()));
  t.add(name, title, occupancy_of_program<K>(), [memory](const ladder_operands& y, cudaStream_t on) {
    launch<K>(y.a_view(), y.b_view(), y.c_view(), workspace(memory->data, memory->count), on);
  });
}

void try_persistence(sets& on_sets, experiments& to) {
  trials t("persistence", on_sets, bf16_bar, to.on);
  t.program<ladder::persistence>("as it is", "as it is: CTAs that stay");
  t.program<ladder::clusters>("they end", "CTAs that end, the rung below");
  with_workspace<drawn>(t, on_sets, "dynamic", "tiles are drawn");
  with_workspace<streamed>(t, on_sets, "streamed", "the last wave is cut");
  t.program<half_tiles>("128 x 128", "128 x 128");
  t.program<own_tiles>("own tiles", "128 x 128, a consumer's own");
  t.time(to);
}

void try_bands(experiments& to) {
  sets on_sets = ladder_sets({8192, 8192, 8192}, to.on);
  trials t("bands", on_sets, bf16_bar, to.on);
  t.program<ladder::persistence>("8", "bands of 8 rows of clusters, as it is");
  t.program<in_bands<1>>("1", "of 1 row");
  t.program<in_bands<2>>("2", "of 2 rows");
  t.program<in_bands<4>>("4", "of 4 rows");
  t.program<in_bands<16>>("16", "of 16 rows");
  t.program<in_bands<32>>("32", "of 32 rows");
  t.time(to);
}

}  // namespace

void try_programs(experiments& to) {
  sets on_sets = ladder_sets(ladder_shape, to.on);
  for (const auto trying : {try_warp_specialization, try_clusters, try_persistence}) trying(on_sets, to);
  try_bands(to);
}

}  // namespace sectile::bench
