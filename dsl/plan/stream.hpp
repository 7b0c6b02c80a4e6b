// Work that is streamed: `.streamed = true`. Whole waves of tiles are made as they are; the tiles of the last wave are
// cut along their loop into as many equal parts as let all clusters end together, or nearly so
// (docs/design/drawn-and-streamed.md). Which part of which tile item number n is hangs on nothing but the shape and the
// number of clusters: one function, which roles, proofs, model and launch ask.
#pragma once
#include <sectile/dsl/program/configuration.hpp>

namespace sectile {

constexpr int least_trips_of_a_part = 8;
constexpr int most_parts_streamed = 16;    // of a tile: whoever adds them up reads all of them
constexpr int most_parts_of_a_cluster = 3;  // in the mean
/// No Hopper has more SMs: the workspace has room for the clusters of so many.
constexpr int most_multiprocessors = 144;

/// What a cluster makes at a time: trips first .. end - 1 of a tile. `tile` counts in the order of the walk.
constexpr int no_tile = 0x7FFF'FFFF;
struct work_item {
  int tile = no_tile;  // that: there is no such item
  int first = 0, end = 0;
  int part = 0, parts = 1;

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
  int parts = 1;     // of each of the rest

  constexpr int rest() const { return tiles - whole; }
  constexpr int items() const { return whole + rest() * parts; }
};

/// How long it takes `clusters` to make `rest` tiles in so many parts each, in trips: with what it takes to leave a
/// part and to add up those of a tile, which may be the same cluster's in every turn. (About so many trips of tiles of
/// 128 x 128 to 128 x 256 elements of 16 bits, measured on an H200.)
constexpr int length_of_rest(int rest, int trips, int clusters, int parts) {
  constexpr int to_leave = 8, to_add = 2;
  if (parts == 1) return trips;
  const int turns = (rest * parts + clusters - 1) / clusters, longest = (trips + parts - 1) / parts;
  return turns * (longest + to_leave + to_add * parts);
}
/// The fewest parts that make it shortest, if that saves an eighth of a tile. (So no cluster makes two parts of a tile:
/// parts p and p + q of one are a cluster's if q times the rest is a multiple of the clusters, and q parts would have
/// done.)
constexpr int choose_parts(int rest, int trips, int clusters) {
  int best = 1, shortest = trips - trips / 8;
  for (int parts = 2; parts <= most_parts_streamed && parts * least_trips_of_a_part <= trips; ++parts) {
    const int length = length_of_rest(rest, trips, clusters, parts);
    if (rest * parts > most_parts_of_a_cluster * clusters || length >= shortest) continue;
    best = parts;
    shortest = length;
  }
  return best;
}
constexpr work_stream stream_of(int tiles, int trips, int clusters) {
  const int rest = tiles % clusters;
  const int parts = rest > 0 ? choose_parts(rest, trips, clusters) : 1;
  return {tiles, parts == 1 ? tiles : tiles - rest, trips, clusters, parts};
}

/// Item number n. Cluster c of C makes items c, c + C, c + 2 C .. as in any static walk.
constexpr work_item item_of(const work_stream& s, int n) {
  if (n < s.whole) return {n, 0, s.trips};
  if (n >= s.items()) return {};
  const int part = (n - s.whole) / s.rest(), tile = n - part * s.rest();
  const trip_part own = part_of_trips(s.trips, part, s.parts);
  return {tile, own.first, own.first + own.count, part, s.parts};
}

/// Tiles that are cut, at most, for any number of clusters of so many CTAs, and their parts.
constexpr long long most_streamed_tiles(long long tiles, int ctas) {
  const long long clusters = most_multiprocessors / ctas;
  return tiles < clusters ? tiles : clusters - 1;
}
constexpr long long most_streamed_parts(long long tiles, int ctas) {
  const long long possible = most_streamed_tiles(tiles, ctas) * most_parts_streamed;
  const long long made = most_parts_of_a_cluster * (most_multiprocessors / ctas);
  return possible < made ? possible : made;
}

}  // namespace sectile
