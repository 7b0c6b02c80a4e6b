// Proof 6, the work: the walk over the output visits every tile once. A lemma about divisions, tried on grids of few
// tiles with the kernel's own bands, clusters and batches; tests/dsl/work_test.cpp goes through many more.
#pragma once
#include <sectile/dsl/roles/work.hpp>

namespace sectile {

constexpr int most_walked = 64;  // work items of a grid that is tried

/// Where tiles are cut for the end: every trip of every tile is in one part, the parts follow each other in their
/// order, and none is short. Tried for few clusters; tests/dsl/stream_test.cpp goes through many more.
constexpr violation check_stream(work_item (&item)(const work_stream&, int) = item_of) {
  constexpr int most_clusters = 5, most_tiles = 9;
  for (const int clusters : {1, 3, most_clusters})
    for (const int tiles : {1, 7, most_tiles})
      for (const int trips : {1, 64, 400}) {
        const work_stream s = stream_of(tiles, trips, clusters);
        work_item part[most_tiles][most_parts_streamed]{};
        for (auto& of_tile : part)  // once more: at -O0 g++ 12 fills a part of them, having evaluated this
          for (work_item& w : of_tile) w = {};
        int parts[most_tiles]{};
        for (int c = 0; c < clusters; ++c)
          for (int n = c; item(s, n).exists(); n += clusters) {
            const work_item w = item(s, n);
            if (w.tile >= tiles || w.part < 0 || w.part >= most_parts_streamed || part[w.tile][w.part].exists())
              return refuse(rule::epilogue_misses_or_doubles_elements, "of ", tiles, " tiles that ", clusters,
                            " clusters make, work item ", n, " is part ", w.part, " of tile ", w.tile,
                            ", which is none of them, or another item's");
            part[w.tile][w.part] = w;
            ++parts[w.tile];
          }
        for (int t = 0; t < tiles; ++t)
          for (int i = 0, next = 0; i < parts[t] || next < trips; next = part[t][i++].end) {
            const work_item& w = part[t][i];
            const bool known = i < parts[t] && w.parts == parts[t];
            const bool is_short = !w.is_whole() && w.end - w.first < least_trips_of_a_part;
            if (known && w.first == next && w.end > next && w.end <= trips && !is_short) continue;
            return refuse(rule::epilogue_misses_or_doubles_elements, "part ", i, " of ", w.parts, " of tile ", t,
                          " makes trips ", w.first, " to ", w.end, " of ", trips, "; ", parts[t],
                          " parts are made, and the one before ends at ", next);
          }
      }
  return {};
}

/// The verdict, which is the same for all kernels: one that asks has it made.
template <bool Asked>
inline constexpr violation stream_verdict = check_stream();

/// Whether `at(item, grid)` gives each cluster of a grid of so many tiles one work item. Precondition: at most
/// `most_walked` items.
template <class Locate>
constexpr violation check_walk(const plan& p, const int (&tiles)[max_rank], Locate at) {
  const operand_facts& out = p.operand[p.work].facts;
  const int rank = out.tile.rank;
  const work_grid grid = work_of(p, tiles);
  const int step[2]{p.how.cluster.rows, p.how.cluster.cols};
  bool visited[most_walked]{};
  int clusters = 1;
  for (int d = 0; d < rank; ++d)
    clusters *= d < rank - 2 ? tiles[d] : (tiles[d] + step[d - rank + 2] - 1) / step[d - rank + 2];
  for (int item = 0; item < clusters && grid.count == clusters; ++item) {
    const tile_coordinates<max_rank> tile = at(item, grid);
    bool inside = true;
    int place = 0;
    for (int d = 0; d < rank; ++d) {
      const int size = d < rank - 2 ? 1 : step[d - rank + 2];
      inside = inside && tile.at[d] >= 0 && tile.at[d] < tiles[d] && tile.at[d] % size == 0;
      place = place * ((tiles[d] + size - 1) / size) + tile.at[d] / size;
    }
    if (!inside || visited[place])
      return refuse(rule::epilogue_misses_or_doubles_elements, "operand ", out.name, ": of ", tiles[rank - 2], " x ",
                    tiles[rank - 1], " tiles, work item ", item, " is the tile at ", tile.at[rank - 2], ", ",
                    tile.at[rank - 1], inside ? ", as another one is" : ", which does not begin a cluster there");
    visited[place] = true;
  }
  if (grid.count == clusters) return {};
  return refuse(rule::epilogue_misses_or_doubles_elements, "operand ", out.name, ": ", tiles[rank - 2], " x ",
                tiles[rank - 1], " tiles are ", clusters, " clusters, and ", grid.count, " work items");
}

/// The walk of K: one band, several and a part of one, clusters that hang over the edges, two batches.
template <class K>
constexpr violation check_walk() {
  constexpr const plan& p = plan_of<K>;
  if (const violation v = check_parts(p); !v.holds()) return v;
  if constexpr (p.how.streamed)
    if (const violation v = stream_verdict<true>; !v.holds()) return v;
  if (const violation v = check_workspace_places(p); !v.holds()) return v;
  constexpr int o = p.work, rank = p.operand[o].facts.tile.rank;
  constexpr int band = p.how.group < 8 ? p.how.group : 8;  // where bands are higher, the grid is one
  const auto at = [](int item, const work_grid& g, const int(&tiles)[max_rank]) {
    body_arguments<K> arguments{};
    for (int d = 0; d < rank; ++d) handle_access::tile_count(arguments.template at<o>())[d] = tiles[d];
    return locate<K>(item, g, arguments);
  };
  for (const int rows : {1, p.tall_tiles ? 1 : band + 1, p.tall_tiles ? 1 : 2 * band + 3})
    for (const int cols : {1, p.whole_rows || p.tall_tiles ? 1 : 3}) {
      int tiles[max_rank]{1, 1, 1, 1, 1};
      if constexpr (rank > 2) tiles[rank - 3] = rows == 1 ? 2 : 1;
      tiles[rank - 2] = rows * p.how.cluster.rows - (p.how.cluster.rows > 1);
      tiles[rank - 1] = cols * p.how.cluster.cols - (p.how.cluster.cols > 1);
      if (const violation v = check_walk(p, tiles, [&](int item, const work_grid& g) { return at(item, g, tiles); });
          !v.holds())
        return v;
    }
  if constexpr (p.how.batches > 1) {  // bands of batches: one, several and a part of one
    constexpr int together = p.how.batches < 14 ? p.how.batches : 14;
    for (const int batches : {1, together + 1, 2 * together + 3}) {
      int tiles[max_rank]{1, 1, 1, 1, 1};
      tiles[rank - 3] = batches;
      tiles[rank - 2] = p.tall_tiles ? 1 : 2 * p.how.cluster.rows;
      if (const violation v = check_walk(p, tiles, [&](int item, const work_grid& g) { return at(item, g, tiles); });
          !v.holds())
        return v;
    }
  }
  return {};
}

}  // namespace sectile
