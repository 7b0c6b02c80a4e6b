// Rungs 1 to 8: other constants in the rungs that are written by hand (rung_variants.cmake), and in WMMA's program.
#include <sectile/kernels/gemm.hpp>
#include <sectile/kernels/ladder/core_matrices.hpp>
#include <sectile/kernels/ladder/descriptors.hpp>
#include <sectile/kernels/ladder/one_tile.hpp>
#include <sectile/kernels/ladder/simt.hpp>
#include <sectile/kernels/ladder/stages.hpp>
#include <sectile/kernels/ladder/swizzles.hpp>
#include <sectile/kernels/ladder/tma.hpp>
#include <sectile/kernels/ladder/wmma.hpp>

#include "bench/at_once.hpp"
#include "bench/experiments.hpp"
#include "rung_variants/all.hpp"

namespace sectile::bench {

namespace {

namespace ladder = kernels::ladder;
using sets = std::vector<ladder_operands>;
using trials = product_trials<ladder_operands>;

void try_simt(sets& on_sets, experiments& to) {
  trials t("simt", on_sets, bf16_bar, to.on);
  t.by_hand<ladder::simt>("as it is", "as it is: 128 x 128, 8 x 8 sums in a thread, K by 32");
  t.by_hand<ladder::simt_no_gap>("no gap", "no gap between rows");
  t.by_hand<ladder::simt_small>("4 x 4", "64 x 64, 4 x 4 sums in a thread");
  t.by_hand<ladder::simt_depth_16>("K by 16", "K by 16");
  t.by_hand<ladder::simt_depth_64>("K by 64", "K by 64");
  t.time(to);
}

/// WMMA's program with another tile. Warpgroups are of 4 warps.
template <int M, int N, int K, int Warpgroups>
struct wmma_tile : ladder::wmma {
  static constexpr configuration how{.tile = {{"M", M}, {"N", N}, {"K", K}}, .consumers = Warpgroups};
};

template <class K>
void by_wmma(trials& t, const char* name, const char* title) {
  t.add(name, title, occupancy_before_hopper<K>(), [](const ladder_operands& x, cudaStream_t on) { x.by_wmma<K>(on); });
}

void try_wmma(sets& on_sets, experiments& to) {
  trials t("wmma", on_sets, bf16_bar, to.on);
  by_wmma<ladder::wmma>(t, "as it is", "as it is: 128 x 128, K by 64, 8 warps");
  by_wmma<wmma_tile<128, 128, 64, 1>>(t, "4 warps", "4 warps");
  by_wmma<wmma_tile<128, 128, 32, 2>>(t, "K by 32", "K by 32");
  by_wmma<wmma_tile<128, 64, 64, 2>>(t, "128 x 64", "128 x 64");
  by_wmma<wmma_tile<64, 64, 64, 1>>(t, "64 x 64", "64 x 64, 4 warps");
  by_wmma<wmma_tile<128, 256, 64, 2>>(t, "128 x 256", "128 x 256");
  t.time(to);
}

void try_one_tile(sets& on_sets, experiments& to) {
  trials t("one_tile", on_sets, bf16_bar, to.on);
  t.by_hand<ladder::one_tile>("as it is", "as it is: N = 256, pieces pass through registers");
  t.by_hand<at_once<ladder::one_tile, 8>>("N = 256", "N = 256, all pieces at once");
  t.by_hand<at_once<ladder::one_tile_192, 8>>("N = 192", "N = 192, all pieces at once");
  t.by_hand<at_once<ladder::one_tile_128, 8>>("N = 128", "N = 128, all pieces at once");
  t.by_hand<at_once<ladder::one_tile_64, 8>>("N = 64", "N = 64, all pieces at once");
  t.by_hand<at_once<ladder::one_tile_32, 8>>("N = 32", "N = 32, all pieces at once");
  t.by_hand<at_once<ladder::one_tile_16, 8>>("N = 16", "N = 16, all pieces at once");
  t.time(to);
}

/// The kernel at the top of the ladder, with B the other way round.
using b_by_columns = kernels::gemm<bf16, bf16, bf16, kernels::gemm_form{.b = col_major}>;

void try_descriptors(sets& on_sets, experiments& to) {
  trials t("descriptors", on_sets, bf16_bar, to.on);
  t.by_hand<ladder::descriptors>("as it is", "as it is: B by columns");
  t.by_hand<ladder::one_tile>("by rows", "B by rows, the rung below");
  t.program<kernels::gemm_bf16>("top, by rows", "B by rows, at the top of the ladder");
  t.add("top, by columns", "B by columns, at the top of the ladder", occupancy_of_program<b_by_columns>(),
        [](const ladder_operands& x, cudaStream_t on) {
          launch<b_by_columns>(x.a_view(), x.b_by_columns_view(), x.c_view(), on);
        });
  t.time(to);
}

void try_core_matrices(sets& on_sets, experiments& to) {
  trials t("core_matrices", on_sets, bf16_bar, to.on);
  t.by_hand<ladder::core_matrices>("as it is", "as it is: pieces pass through registers");
  t.by_hand<ladder::one_tile>("no room", "no room between core matrices, rung 3");
  t.by_hand<at_once<ladder::core_matrices, 1>>("none meet",
                                               "all pieces at once, 16 bytes of room: none meet in a bank");
  t.by_hand<at_once<ladder::core_matrices_32, 2>>("2 meet", "all pieces at once, 32 bytes of room: 2 meet");
  t.by_hand<at_once<ladder::core_matrices_64, 4>>("4 meet", "all pieces at once, 64 bytes of room: 4 meet");
  t.by_hand<at_once<ladder::one_tile, 8>>("8 meet", "all pieces at once, no room: 8 meet");
  t.time(to);
}

void try_swizzles(sets& on_sets, experiments& to) {
  trials t("swizzles", on_sets, bf16_bar, to.on);
  t.by_hand<ladder::swizzles>("as it is", "as it is: swizzled, pieces pass through registers");
  t.by_hand<ladder::core_matrices>("gaps", "gaps, through registers: the rung below");
  t.by_hand<ladder::one_tile>("neither", "neither, through registers: rung 3");
  t.by_hand<at_once<ladder::swizzles, 1>>("swizzled, at once", "swizzled, all pieces at once");
  t.by_hand<at_once<ladder::core_matrices, 1>>("gaps, at once", "gaps, all pieces at once");
  t.by_hand<at_once<ladder::one_tile, 8>>("neither, at once", "neither, all pieces at once");
  t.time(to);
}

void try_tma(sets& on_sets, experiments& to) {
  trials t("tma", on_sets, bf16_bar, to.on);
  t.by_hand<ladder::tma>("as it is", "as it is: 128 bytes swizzled, a box for each tile");
  t.by_hand<ladder::tma_b64>("64 bytes", "64 bytes swizzled, 2 boxes");
  t.by_hand<ladder::tma_b32>("32 bytes", "32 bytes swizzled, 4 boxes");
  t.by_hand<ladder::tma_none>("no swizzle", "no swizzle, 8 boxes");
  t.by_hand<ladder::tma_2_ctas>("2 CTAs", "as it is, kept to 2 CTAs on an SM");
  t.by_hand<ladder::tma_1_cta>("1 CTA", "as it is, kept to 1 CTA on an SM");
  t.by_hand<ladder::tma_128>("N = 128", "N = 128");
  t.by_hand<ladder::tma_64>("N = 64", "N = 64");
  t.time(to);
}

void try_stages(sets& on_sets, experiments& to) {
  trials t("stages", on_sets, bf16_bar, to.on);
  t.by_hand<ladder::stages>("4 stages", "4 stages, as it is");
  t.by_hand<ladder::tma>("1 stage", "1 stage, the rung below");
  t.by_hand<ladder::tma_1_cta>("1 stage, alone", "1 stage, kept to 1 CTA on an SM");
  t.by_hand<ladder::stages_2>("2 stages", "2 stages");
  t.by_hand<ladder::stages_2_alone>("2 stages, alone", "2 stages, kept to 1 CTA on an SM");
  t.by_hand<ladder::stages_3>("3 stages", "3 stages");
  t.by_hand<ladder::stages_5>("5 stages", "5 stages");
  t.by_hand<ladder::tma_128>("N = 128, 1 stage", "N = 128, 1 stage");
  t.by_hand<ladder::stages_128_2>("N = 128, 2 stages", "N = 128, 2 stages");
  t.by_hand<ladder::stages_128_3>("N = 128, 3 stages", "N = 128, 3 stages");
  t.by_hand<ladder::stages_128_4>("N = 128, 4 stages", "N = 128, 4 stages");
  t.by_hand<ladder::stages_128_6>("N = 128, 6 stages", "N = 128, 6 stages");
  t.time(to);
}

}  // namespace

void try_rungs_by_hand(experiments& to) {
  sets on_sets = ladder_sets(ladder_shape, to.on);
  for (const auto trying :
       {try_simt, try_wmma, try_one_tile, try_descriptors, try_core_matrices, try_swizzles, try_tma, try_stages})
    trying(on_sets, to);
}

}  // namespace sectile::bench
