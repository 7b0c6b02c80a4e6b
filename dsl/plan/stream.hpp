// Work that is streamed: `.streamed = true`. Whole waves of tiles are made as they are. What is left for the end, the
// tiles of one to two waves, is one row of trips, tile behind tile, of which each cluster makes an equal range; so all
// of them end together, however few tiles the last wave would have had.
//
// A range begins and ends where it likes, so a tile may be made in parts by clusters beside each other. The parts of a
// tile meet in the workspace (workspace.hpp), where the last to come adds them up in their order: in that of the trips.
// Nobody waits for a cluster that may not run.
//
// A part that is short costs more to pass on than it saves, so no cut is nearer to another one, or to an end of its
// tile, than `least_trips_of_a_part`: where an equal range would end there, it ends at the tile's end, or so far from
// it. Loops that are too short for two parts are not cut, and all of their tiles are whole.
//
// Which part of which tile item number n is hangs on nothing but the shape and the number of clusters: one function,
// which roles, proofs, model and launch ask.
#pragma once
#include <sectile/dsl/program/configuration.hpp>

namespace sectile {

constexpr int least_trips_of_a_part = 8;
/// In the mean a tile is cut in no more parts than this: whoever adds them up reads all of them.
constexpr int most_parts_streamed = 16;
/// No Hopper has more SMs: the workspace has room for the clusters of so many.
constexpr int most_multiprocessors = 144;

/// What a cluster makes at a time: trips first .. end - 1 of a tile. `tile` counts in the order of the walk.
constexpr int no_tile = 0x7FFF'FFFF;
struct work_item {
  int tile = no_tile;  // that: there is no such item
  int first = 0, end = 0;
  int part = 0, parts = 1;
  int place = 0;  // of a part's sums in the workspace, among all clusters' parts; those of one tile are neighbours

  constexpr bool exists() const { return tile != no_tile; }
  constexpr bool is_whole() const { return parts == 1; }
  friend constexpr bool operator==(const work_item&, const work_item&) = default;
};

/// Tiles whose loop makes so many trips, and the clusters that walk over them.
struct work_stream {
  int tiles = 0;     // (of clusters)
  int whole = 0;     // of these, made as they are: every `clusters`-th by the same one
  int trips = 1;
  int clusters = 1;
  int makers = 0;    // clusters that share the rest; fewer than all where it is short

  constexpr int rest() const { return tiles - whole; }
};
constexpr work_stream stream_of(int tiles, int trips, int clusters) {
  work_stream s{tiles, tiles, trips, clusters, 0};
  constexpr int twice = 2 * least_trips_of_a_part;
  const int waves = tiles / clusters, whole = waves > 1 ? (waves - 1) * clusters : 0, rest = tiles - whole;
  if (tiles % clusters == 0 || trips < twice || trips > 0x7FFF'FFFF / rest) return s;
  const int by_length = rest * trips / twice, by_parts = most_parts_streamed * rest;
  const int possible = by_length < by_parts ? by_length : by_parts;
  s.whole = whole;
  s.makers = clusters < possible ? clusters : possible;
  return s;
}

/// Where the range of maker number `maker` begins: trips from the rest's first. Neighbours begin at least twice
/// `least_trips_of_a_part` apart before they are moved: forward by half of that at most, and back by less.
constexpr int begin_of_maker(const work_stream& s, int maker) {
  constexpr int least = least_trips_of_a_part;
  const int begin = part_of_trips(s.rest() * s.trips, maker, s.makers).first;
  const int behind = begin % s.trips, before = s.trips - behind;
  if (behind < least) return begin - behind + (behind < least / 2 ? 0 : least);
  if (before < least) return begin + before - (before <= least / 2 ? 0 : least);
  return begin;
}
/// Who makes this trip of the rest.
constexpr int maker_of(const work_stream& s, int trip) {
  const int maker = part_of_trip(trip, s.rest() * s.trips, s.makers);
  if (begin_of_maker(s, maker) > trip) return maker - 1;
  return begin_of_maker(s, maker + 1) <= trip ? maker + 1 : maker;
}

/// Item number n. Cluster c of C makes items c, c + C, c + 2 C .. as long as they exist, as in any static walk: behind
/// the whole tiles those numbers count the tiles that the cluster's range has a part of.
constexpr work_item item_of(const work_stream& s, int n) {
  if (n < s.whole) return {n, 0, s.trips};
  const int maker = (n - s.whole) % s.clusters;
  if (maker >= s.makers) return {};
  const int begin = begin_of_maker(s, maker), end = begin_of_maker(s, maker + 1);
  const int tile = begin / s.trips + (n - s.whole) / s.clusters;
  const int tile_begin = tile * s.trips, tile_end = tile_begin + s.trips;
  if (tile_begin >= end) return {};
  const int first_maker = maker_of(s, tile_begin);
  return {s.whole + tile,
          (begin > tile_begin ? begin : tile_begin) - tile_begin,
          (end < tile_end ? end : tile_end) - tile_begin,
          maker - first_maker,
          maker_of(s, tile_end - 1) - first_maker + 1,
          tile + maker};
}

/// Parts of tiles that there can be for any number of clusters of so many CTAs, and tiles of which they are.
constexpr long long most_streamed_tiles(long long tiles, int ctas) {
  const long long two_waves = 2 * (most_multiprocessors / ctas) - 1;
  return tiles < two_waves ? tiles : two_waves;
}
constexpr long long most_streamed_parts(long long tiles, int ctas) {
  return most_streamed_tiles(tiles, ctas) + most_multiprocessors / ctas - 1;
}

}  // namespace sectile
