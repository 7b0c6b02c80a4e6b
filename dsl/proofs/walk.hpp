// Proof 6, the work: the walk over the output visits every tile once. A lemma about divisions, tried on grids of few
// tiles with the kernel's own bands, clusters and batches; tests/dsl/work_test.cpp goes through many more.
#pragma once
#include <sectile/dsl/roles/groups.hpp>

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
inline constexpr violation stream_verdict = Asked ? check_stream() : violation{};

/// Whether `at(item, grid)` gives each cluster of a grid of so many tiles one work item. Precondition: at most
/// `most_walked` items.
template <class Locate>
constexpr violation check_walk(const plan& p, const int (&tiles)[max_rank], Locate at) {
  const operand_facts& out = p.operand[p.work].facts;
  const int rank = out.tile.rank;
  const work_grid grid = work_of(p, tiles);
  const int step[2]{p.how.rows_of_item(), p.how.cluster.cols};
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

/// Where a map of groups has a row: whether it is inside, and how many bytes behind the matrix's first.
struct mapped_row {
  bool inside = false;
  std::uint64_t byte = 0;
};
constexpr mapped_row row_in_map(const group_place& g, int row, int rows, std::uint64_t pitch) {
  const std::int64_t at[]{g.coordinate(row), g.place, g.beyond};
  const std::int64_t extent[]{most_group_rows, rows + 1, most_group_rows + 1};
  const std::uint64_t stride[]{pitch, pitch, group_step - pitch};
  mapped_row m{true, 0};
  for (int d = 0; d < 3; ++d) {
    m.inside = m.inside && at[d] >= 0 && at[d] < extent[d];
    m.byte += static_cast<std::uint64_t>(at[d]) * stride[d];  // addresses have 64 bits
  }
  return m;
}
/// TMA finds the rows of a group where they are, and no others, whatever numbers are in memory. Tried for few rows.
constexpr violation check_group_map(group_place (&place)(int, int, int) = place_group) {
  constexpr int rows = 5;
  for (int begin = -2; begin <= rows + 2; ++begin)
    for (int end = -2; end <= rows + 2; ++end) {
      const bool possible = begin >= 0 && begin <= end && end <= rows;
      const group_place g = place(begin, end, rows);
      for (int row = -rows; row <= rows + 2; ++row) {
        const mapped_row m = row_in_map(g, row, rows, 48);
        const bool there = possible && row >= 0 && row < end - begin;
        if (m.inside != there || (there && m.byte != static_cast<std::uint64_t>(begin + row) * 48))
          return refuse(rule::wgmma_does_not_read_what_tma_wrote, "row ", row, " of a group from ", begin, " up to ",
                        end, " in a matrix of ", rows, " rows is ",
                        m.inside ? "read at byte " : "no row; it is at byte ", static_cast<int>(m.byte));
      }
    }
  return {};
}
/// The verdict, which is the same for all kernels.
template <bool Asked>
inline constexpr violation group_map_verdict = Asked ? check_group_map() : violation{};

/// Whether clusters that walk over groups of so many cluster rows, and one row less, make each tile of each group once,
/// in each of its matrices, where its rows are. `at(group, item, size)` is an item's tile.
template <class At, class ItemsOf>
constexpr violation check_group_walk(const plan& p, const int (&cluster_rows)[4], int cols, int matrices,
                                     ItemsOf items_of, At at) {
  constexpr int groups = 4;
  const int rank = p.operand[p.work].facts.tile.rank;
  const int step[2]{p.how.rows_of_item(), p.how.cluster.cols}, rows_of_step = p.operand[p.work].facts.rows() * step[0];
  const bool counted = p.operand[ends_of(p, p.work)].facts.counts_rows;
  int begin[groups]{}, said[groups]{}, rows = 0, room = 0;
  for (const int n : cluster_rows) room = n * rows_of_step > room ? n * rows_of_step : room;
  for (int e = 0; e < groups; ++e) {
    const int size = cluster_rows[e] * rows_of_step - (cluster_rows[e] > 0 ? 1 : 0);
    begin[e] = rows;
    said[e] = counted ? size : rows + size;
    rows += counted ? room : size;
  }
  int visits[groups][most_walked]{};
  constexpr int clusters = 3;
  for (int c = 0; c < clusters; ++c) {
    group_walk walk{};
    for (int item = c;; item += clusters) {
      const int in_group = walk.find(
          item, groups, rows, [&](int e, int before) { return bounds_of_group(counted, e, before, said[e], room); },
          [&](const group_place& g) { return items_of(g.size); });
      if (in_group < 0) break;
      const group_place place = walk.place(rows);
      if (place.begin() != begin[walk.group])
        return refuse(rule::wgmma_does_not_read_what_tma_wrote, "group ", walk.group, " is read from row ",
                      place.begin(), " on, not from row ", begin[walk.group]);
      const tile_coordinates<max_rank> tile = at(walk.group, in_group, place.size);
      const int first_row = tile.at[rank - 2], first_col = tile.at[rank - 1], matrix = rank > 3 ? tile.at[1] : 0;
      const int row = first_row / step[0], col = first_col / step[1];
      if (tile.at[0] != walk.group || first_row % step[0] || first_col % step[1] || row < 0 || col < 0 || col >= cols ||
          row >= cluster_rows[walk.group] || matrix < 0 || matrix >= matrices)
        return refuse(rule::epilogue_misses_or_doubles_elements, "work item ", item, " is the tile at ", first_row,
                      ", ", first_col, " of group ", tile.at[0], ", which has ", cluster_rows[walk.group] * step[0],
                      " x ", cols * step[1], " tiles");
      ++visits[walk.group][(matrix * cluster_rows[walk.group] + row) * cols + col];
    }
  }
  for (int e = 0; e < groups; ++e)
    for (int i = 0; i < matrices * cluster_rows[e] * cols; ++i)
      if (visits[e][i] != 1)
        return refuse(rule::epilogue_misses_or_doubles_elements, "tile ", i / cols * step[0], ", ", i % cols * step[1],
                      " of group ", e, " is made ", visits[e][i], " times");
  return {};
}
/// The walk of K, whose work is tiles of groups: an empty one, one of a tile, several bands and a part of one.
template <class K>
constexpr violation check_group_walk() {
  constexpr const plan& p = plan_of<K>;
  constexpr int band = p.how.group < 8 ? p.how.group : 8;
  constexpr bool several = p.operand[p.work].facts.tile.rank > 3;  // matrices of a group
  const auto walk = [&](const int(&cluster_rows)[4], int cols, int matrices) {
    body_arguments<K> all{};
    work_grid g{};
    g.cols = cols;
    if (several) handle_access::tile_count(all.template at<p.work>())[1] = matrices;
    return check_group_walk(
        p, cluster_rows, cols, matrices, [&](int size) { return items_of_group<K>(g, all, size); },
        [&](int e, int item, int size) { return locate_in_group<K>(e, item, g, all, size); });
  };
  for (const int cols : {1, p.whole_rows || several ? 1 : 3})
    if (const violation v = walk({1, 0, 2 * band + 3, band}, cols, several ? 2 : 1); !v.holds()) return v;
  if constexpr (several && p.how.batches > 1) {  // matrices that are visited together, and some that are left
    constexpr int together = p.how.batches < most_walked ? p.how.batches : most_walked - 1;
    return walk({1, 0, 1, 1}, 1, together + 1);
  }
  return {};
}

/// The walk of K: one band, several and a part of one, clusters that hang over the edges, two batches.
template <class K>
constexpr violation check_walk() {
  constexpr const plan& p = plan_of<K>;
  if (const violation v = check_parts(p); !v.holds()) return v;
  if constexpr (p.how.streamed)
    if (const violation v = stream_verdict<streams<K>>; !v.holds()) return v;
  if (const violation v = check_workspace_places(p); !v.holds()) return v;
  if constexpr (has_groups<K>)
    if (const violation v = group_map_verdict<has_groups<K>>; !v.holds()) return v;
  if constexpr (walks_groups<K>())
    if (const violation v = check_group_walk<K>(); !v.holds()) return v;
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
      tiles[rank - 2] = rows * p.how.rows_of_item() - (p.how.rows_of_item() > 1);
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
      tiles[rank - 2] = p.tall_tiles ? 1 : 2 * p.how.rows_of_item();
      if (const violation v = check_walk(p, tiles, [&](int item, const work_grid& g) { return at(item, g, tiles); });
          !v.holds())
        return v;
    }
  }
  return {};
}

}  // namespace sectile
