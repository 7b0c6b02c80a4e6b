// Which output tile is next.
#pragma once
#include <sectile/dsl/plan/build.hpp>
#include <sectile/dsl/roles/parameters.hpp>

namespace sectile {

/// The output's tiles as clusters take them: batches, then bands of `group` cluster rows, then columns, then rows of the
/// band, so that the clusters that run at the same time share rows of A and columns of B in L2.
struct work_grid {
  int rows = 0;  // of clusters
  int cols = 0;
  int batches = 1;

  constexpr long long count() const { return static_cast<long long>(rows) * cols * batches; }
};

template <class K>
constexpr work_grid work_of(const body_arguments<K>& arguments) {
  constexpr int o = plan_of<K>.epilogue.operand;
  constexpr int rank = operand_handle<K, o>::rank;
  constexpr int cluster_rows = plan_of<K>.how.cluster.rows, cluster_cols = plan_of<K>.how.cluster.cols;
  const auto& c = arguments.template at<o>();
  work_grid g{(c.tiles(rank - 2) + cluster_rows - 1) / cluster_rows,
              (c.tiles(rank - 1) + cluster_cols - 1) / cluster_cols, 1};
  for (int d = 0; d + 2 < rank; ++d) g.batches *= c.tiles(d);
  return g;
}

/// Tile coordinates (in the modes of the output) of the first CTA of the cluster that does work item `item`.
template <class K>
constexpr tile_coordinates<max_rank> locate(int item, const work_grid& g, const body_arguments<K>& arguments) {
  constexpr int o = plan_of<K>.epilogue.operand;
  constexpr int rank = operand_handle<K, o>::rank;
  constexpr int group = plan_of<K>.how.group;
  constexpr bool reversed = plan_of<K>.how.rows == traversal::reversed;
  const int per_batch = g.rows * g.cols;
  int batch = item / per_batch;
  const int in_batch = item % per_batch;
  const int band = in_batch / (group * g.cols), in_band = in_batch % (group * g.cols);
  const int rows_left = g.rows - band * group;
  const int band_rows = rows_left < group ? rows_left : group;
  const int row = band * group + in_band % band_rows;

  tile_coordinates<max_rank> at{};
  at.at[rank - 2] = (reversed ? g.rows - 1 - row : row) * plan_of<K>.how.cluster.rows;
  at.at[rank - 1] = in_band / band_rows * plan_of<K>.how.cluster.cols;
  for (int d = rank - 3; d >= 0; --d) {
    const int tiles = arguments.template at<o>().tiles(d);
    at.at[d] = batch % tiles;
    batch /= tiles;
  }
  return at;
}

}  // namespace sectile
