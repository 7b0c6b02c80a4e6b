// Which output tile is next.
#pragma once
#include <sectile/dsl/plan/build.hpp>
#include <sectile/dsl/roles/arguments.hpp>

namespace sectile {

/// A part of something that few kernels have, as a base of it; in its place one that takes no room.
template <class Part>
struct left_out {};
template <bool There, class Part>
using if_there = std::conditional_t<There, Part, left_out<Part>>;

/// Division by a number that is known at launch: a multiplication and a shift instead of the forty instructions that a
/// GPU needs to divide. Exact for dividends from 0 to 2^31 - 1 (Granlund and Montgomery, 1994).
struct fast_divisor {
  std::uint32_t divisor = 1;
  std::uint32_t multiplier = 0;
  int shift = 0;

  constexpr fast_divisor() = default;
  constexpr explicit fast_divisor(int d) : divisor(static_cast<std::uint32_t>(d)) {
    if (d <= 1) return;
    int bits = 0;  // smallest with 2^bits >= d
    while ((std::uint64_t{1} << bits) < divisor) ++bits;
    multiplier = static_cast<std::uint32_t>(((std::uint64_t{1} << (31 + bits)) + divisor - 1) / divisor);
    shift = bits - 1;
  }
  constexpr int divide(int n) const {
    if (divisor == 1) return n;
    return static_cast<int>((static_cast<std::uint64_t>(n) * multiplier >> 32) >> shift);
  }
};

/// The output's tiles as clusters take them: batches, then bands of `group` cluster rows, then columns, then rows of
/// the band, so that the clusters that run at the same time share rows of A and columns of B in L2.
///
/// Where batches are visited together a band is so many whole batches: rows, then columns, then the batches of the band.
/// If rows are not alike (causal attention) the heaviest of many batches come first then, and what all of these read is
/// as much as the band's, which should fit in L2.
struct work_grid {
  int rows = 0;  // of clusters
  int cols = 0;
  int count = 0;
  int group = 1;  // cluster rows of a band, or batches: the configuration's, or all there are
  fast_divisor per_batch;       // or per row of a batch
  fast_divisor per_band;
  fast_divisor band_rows;       // of every band but the last
  fast_divisor last_band_rows;
};

/// The work of a kernel whose output has so many tiles along each mode: these, or whole rows of
/// them, or blocks.
/// (Of groups, whose sizes are in memory, it is as if each had all rows: `count` is no less than there are.)
constexpr work_grid work_of(const plan& p, const int* tiles) {
  const int rank = p.operand[p.work].facts.tile.rank, most = p.how.group;
  const int down = p.how.rows_of_item(), across = p.how.cluster.cols;
  work_grid g{};
  g.rows = p.tall_tiles ? 1 : (tiles[rank - 2] + down - 1) / down;
  g.cols = p.whole_rows || p.tall_tiles ? 1 : (tiles[rank - 1] + across - 1) / across;
  g.count = g.rows * g.cols;
  for (int d = 0; d + 2 < rank; ++d) g.count *= tiles[d];
  const int of_batch = g.rows * g.cols, batches = g.count / of_batch, together = p.how.batches;
  const int lines = together > 1 ? batches : g.rows;  // of which bands are made
  const int longest = together > 1 ? together : most;
  g.group = lines < longest ? lines : longest;
  g.per_batch = fast_divisor(together > 1 ? g.cols : of_batch);
  g.per_band = fast_divisor(g.group * (together > 1 ? of_batch : g.cols));
  g.band_rows = fast_divisor(g.group);
  g.last_band_rows = fast_divisor(lines % g.group ? lines % g.group : g.group);
  return g;
}
template <class K>
constexpr work_grid work_of(const body_arguments<K>& arguments) {
  return work_of(plan_of<K>, handle_access::tile_count(arguments.template at<work_operand<K>>()));
}

/// Work item `item` where batches are visited together: its batch, and its cluster row and column there.
struct place_in_batch {
  int batch = 0, row = 0, col = 0;
};
constexpr place_in_batch place_by_batches(int item, const work_grid& g) {
  const int band = g.per_band.divide(item), first = band * g.group;
  const int in_band = item - first * g.rows * g.cols;
  const bool last = g.count - first * g.rows * g.cols < g.group * g.rows * g.cols;
  const fast_divisor& together = last ? g.last_band_rows : g.band_rows;
  const int tile = together.divide(in_band), row = g.per_batch.divide(tile);
  return {first + in_band - tile * static_cast<int>(together.divisor), row, tile - row * g.cols};
}

/// Tile coordinates (in the modes of the output) of the first CTA of the cluster that does work item `item`.
template <class K>
constexpr tile_coordinates<max_rank> locate(int item, const work_grid& g, const body_arguments<K>& arguments) {
  constexpr int o = work_operand<K>;
  constexpr int rank = operand_handle<K, o>::rank;
  constexpr bool reversed = how_of<K>.rows == traversal::reversed, one_of_each = head_of<K>.tall_tiles;
  constexpr bool together = how_of<K>.batches > 1 && !one_of_each;
  int batch = one_of_each ? item : 0;  // whose only tiles are a cluster's
  if constexpr (rank > 2 && !one_of_each && !together) {
    batch = g.per_batch.divide(item);
    item -= batch * g.rows * g.cols;
  }
  tile_coordinates<max_rank> at{};
  if constexpr (together) {
    const place_in_batch place = place_by_batches(item, g);
    batch = place.batch;
    at.at[rank - 2] = (reversed ? g.rows - 1 - place.row : place.row) * how_of<K>.rows_of_item();
    at.at[rank - 1] = place.col * how_of<K>.cluster.cols;
  } else if constexpr (!one_of_each) {
    const int group = g.group, band = g.per_band.divide(item), in_band = item - band * group * g.cols;
    const bool last = (band + 1) * group > g.rows;
    const int rows = last ? g.rows - band * group : group;
    const int col = (last ? g.last_band_rows : g.band_rows).divide(in_band);
    const int row = band * group + in_band - col * rows;
    at.at[rank - 2] = (reversed ? g.rows - 1 - row : row) * how_of<K>.rows_of_item();
    at.at[rank - 1] = col * how_of<K>.cluster.cols;
  }
  for (int d = rank - 3; d >= 0; --d) {
    const int tiles = handle_access::tile_count(arguments.template at<o>())[d];
    at.at[d] = batch % tiles;
    batch /= tiles;
  }
  return at;
}

}  // namespace sectile
