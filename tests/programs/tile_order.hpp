// The order in which tiles are summed (program/tile_sums.hpp, roles/sums_in_order.hpp), written down once more: one
// loop after the other, on numbers in memory.
#pragma once
#include <array>
#include <functional>
#include <vector>

namespace sectile::test {

/// A matrix as fragments hold it: where the configuration swaps, transposed.
struct tiled_matrix {
  std::function<float(int, int)> element;
  int rows, cols;  // of the matrix
  int tile_rows, tile_cols;
  int sharers = 1;  // consumers of a tile

  float inside(int row, int col) const { return row < rows && col < cols ? element(row, col) : 0.0f; }
  int down() const { return (rows + tile_rows - 1) / tile_rows; }
  int across() const { return (cols + tile_cols - 1) / tile_cols; }

  /// The number that tile column `tile` has of a row.
  float of_row(int row, int tile) const {
    std::array<float, 4> lane{};
    for (std::size_t q = 0; q < 4; ++q)
      for (int group = 0; group < tile_cols; group += 8)
        for (int j = 0; j < 2; ++j) lane[q] += inside(row, tile * tile_cols + group + 2 * static_cast<int>(q) + j);
    return (lane[0] + lane[1]) + (lane[2] + lane[3]);
  }
  /// The rows, counted in the tile, that lane row `octet` of warp `warp` has.
  std::vector<int> rows_of(int warp, int octet) const {
    const int share = tile_rows / sharers, first = warp / 4 * share + warp % 4 * 16 + octet;
    std::vector<int> all;
    for (int block = 0; block < share; block += 64)
      for (int half = 0; half < 16; half += 8) all.push_back(first + block + half);
    return all;
  }
  /// number(row of the tile) of all rows of a tile: of a lane, then of lanes so far apart in a column, then of warps.
  template <class Number>
  float down_a_tile(const std::array<int, 3>& apart, Number number) const {
    float all = 0;
    for (int warp = 0; warp < 4 * sharers; ++warp) {
      std::array<float, 8> lane{};
      for (int octet = 0; octet < 8; ++octet) {
        const std::vector<int> mine = rows_of(warp, octet);
        float& sum = lane[static_cast<std::size_t>(octet)];
        sum = number(mine[0]);
        for (std::size_t i = 1; i < mine.size(); ++i) sum += number(mine[i]);
      }
      for (const int step : apart) {
        const std::array<float, 8> before = lane;
        for (std::size_t i = 0; i < 8; ++i) lane[i] += before[i ^ static_cast<std::size_t>(step)];
      }
      all = warp == 0 ? lane[0] : all + lane[0];
    }
    return all;
  }
  /// The number that tile row `tile` has of a column: as combine() makes it, or as col_sum() does.
  float of_col(int col, int tile, const std::array<int, 3>& apart = {4, 2, 1}) const {
    return down_a_tile(apart, [&](int row) { return inside(tile * tile_rows + row, col); });
  }
  /// And that a tile has of all.
  float of_all(int tile_row, int tile_col) const {
    return down_a_tile({1, 2, 4}, [&](int row) {
      const int at = tile_row * tile_rows + row;
      return at < rows ? of_row(at, tile_col) : 0.0f;
    });
  }
};

/// Numbers of tiles that become an element of a vector.
inline float in_order(const std::vector<float>& tiles) {
  float sum = tiles[0];
  for (std::size_t i = 1; i < tiles.size(); ++i) sum += tiles[i];
  return sum;
}
/// The same of a number, where the lanes of a warp take every 32nd tile.
inline float by_lanes(const std::vector<float>& tiles) {
  std::array<float, 32> lane;
  lane.fill(-0.0f);
  for (std::size_t i = 0; i < tiles.size(); ++i) lane[i % 32] += tiles[i];
  for (std::size_t step = 1; step <= 16; step *= 2) {
    const std::array<float, 32> before = lane;
    for (std::size_t i = 0; i < 32; ++i) lane[i] += before[i ^ step];
  }
  return lane[0];
}

}  // namespace sectile::test
