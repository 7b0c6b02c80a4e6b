// From below, how long the members of a family take, all at once: a number of each stands beside the same number of the
// next, so a compiler makes vector instructions of the arithmetic (cost_model.cpp). A pick then asks the cost model
// itself only about the few that may be the fastest.
#pragma once
#include <sectile/dsl/launch/timed_kernel.hpp>

namespace sectile {

struct member_bounds {
  static constexpr int most = 96;  // members; of one behind them nothing is known

  int count = 0;  // of members that have a bound: none where they do not divide one grid along the same modes
  // The sizes of the grid's modes, of the costliest loop, and of the one that times its trips are made.
  int row = no_size, col = no_size, loop = no_size, over = no_size;
  float per_row[most]{}, per_col[most]{}, per_step[most]{};  // 1 / elements of a cluster's tiles, and of a trip
  float parts[most]{};                                       // 1 / those that share the loop
  int cluster[most]{};                                       // CTAs
  float clusters[most]{};                                    // that make a tile
  float streamed[most]{};                                    // 1: the last wave is shared out, 0: it is a whole one
  // Of such a trip, as in timed_kernel::phase.
  float own_cycles[most]{}, fetching_cycles[most]{}, fetched_bytes[most]{}, row_shared_bytes[most]{},
      col_shared_bytes[most]{}, row_bytes[most]{}, col_bytes[most]{}, arriving[most]{};
  float tile_cycles[most]{};
  float begin_us[most]{}, launch_us[most]{};  // once for a kernel: all that comes, and what comes before any copy

  constexpr member_bounds() = default;
  constexpr member_bounds(const timed_kernel* members, int all) {
    const int known = all < most ? all : most;
    for (int i = 0; i < known; ++i)
      if (!add(members[i], i)) return;
    count = known;
  }

 private:
  constexpr bool add(const timed_kernel& k, int i) {
    if (k.grid_modes < 1 || k.grid_modes > 2) return false;
    const auto& across = k.grid[k.grid_modes - 1];
    const int rows_along = k.grid_modes > 1 ? k.grid[0].along : no_size;
    timed_kernel::phase longest{};
    double once = k.tile_cycles;
    for (int p = 0; p < k.phases; ++p)
      if (k.at[p].along < 0)
        once += k.at[p].own_cycles;
      else if (k.at[p].own_cycles > longest.own_cycles)
        longest = k.at[p];
    if (longest.along < 0) return false;
    if (i == 0) row = rows_along, col = across.along, loop = longest.along, over = longest.over;
    if (row != rows_along || col != across.along || loop != longest.along || over != longest.over) return false;
    per_row[i] = static_cast<float>(k.grid_modes > 1 ? k.grid[0].tiles.reciprocal : 1.0);
    per_col[i] = static_cast<float>(across.tiles.reciprocal);
    per_step[i] = static_cast<float>(longest.step.reciprocal);
    parts[i] = static_cast<float>(k.parts.elements > 1 ? k.parts.reciprocal : 1.0);
    cluster[i] = k.cluster;
    clusters[i] = static_cast<float>(k.clusters);
    streamed[i] = k.streamed ? 1.0F : 0.0F;
    own_cycles[i] = static_cast<float>(longest.own_cycles);
    fetching_cycles[i] = static_cast<float>(longest.fetching_cycles);
    fetched_bytes[i] = static_cast<float>(longest.fetched_bytes);
    row_shared_bytes[i] = static_cast<float>(longest.row_shared_bytes);
    col_shared_bytes[i] = static_cast<float>(longest.col_shared_bytes);
    row_bytes[i] = static_cast<float>(k.grid_modes > 1 ? longest.row_bytes : 0.0);
    col_bytes[i] = static_cast<float>(longest.col_bytes);
    arriving[i] = static_cast<float>(longest.arriving);
    tile_cycles[i] = static_cast<float>(once);
    launch_us[i] = static_cast<float>(k.launch_us);
    begin_us[i] = static_cast<float>(k.launch_us + k.once_cycles / hopper_reaches.cycles_per_us);
    return true;
  }
};

}  // namespace sectile
