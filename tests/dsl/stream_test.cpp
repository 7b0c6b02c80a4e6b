// Which cluster makes which part of which tile, where the tiles of a last wave are cut (plan/stream.hpp).
#include <doctest/doctest.h>

#include <algorithm>
#include <sectile/dsl/plan/workspace.hpp>
#include <vector>

#include "tests/static_check.hpp"

namespace {

using namespace sectile;

// One tile alone is cut as finely as pays; so are eight that are left over by six waves.
STATIC_CASE(stream_of(1, 64, 132).parts == 5 && stream_of(1, 64, 132).whole == 0);
STATIC_CASE(stream_of(800, 79, 132).whole == 792 && stream_of(800, 79, 132).parts == 5);
STATIC_CASE(item_of(stream_of(800, 80, 132), 792 + 8 + 3) == work_item{795, 16, 32, 1, 5});
STATIC_CASE(!item_of(stream_of(800, 80, 132), 792 + 40).exists());
// Whole waves, a wave that is nearly one, and loops too short for two parts are left as they are; and tiles that would
// take several turns of parts, unless they are long.
STATIC_CASE(stream_of(264, 1000, 132).parts == 1 && stream_of(264, 1000, 132).whole == 264);
STATIC_CASE(stream_of(131, 64, 132).parts == 1);
STATIC_CASE(stream_of(1, 2 * least_trips_of_a_part - 1, 132).parts == 1);
STATIC_CASE(stream_of(68, 127, 132).parts == 1 && stream_of(6, 400, 10).parts == 5);

/// What the clusters of a stream make.
struct made {
  std::vector<std::vector<work_item>> of_tile;  // by its part
  std::vector<int> trips;                       // of each cluster
};
made make(const work_stream& s) {
  made all{std::vector<std::vector<work_item>>(static_cast<std::size_t>(s.tiles)),
           std::vector<int>(static_cast<std::size_t>(s.clusters))};
  for (int c = 0; c < s.clusters; ++c)
    for (int n = c; item_of(s, n).exists(); n += s.clusters) {
      const work_item item = item_of(s, n);
      REQUIRE(item.tile >= 0);
      REQUIRE(item.tile < s.tiles);
      auto& parts = all.of_tile[static_cast<std::size_t>(item.tile)];
      for (const work_item& other : parts) REQUIRE(other.part != item.part);
      parts.push_back(item);
      all.trips[static_cast<std::size_t>(c)] += item.end - item.first;
    }
  return all;
}

TEST_CASE("every trip of every tile is made once, in parts that follow each other and are not short") {
  for (int clusters = 1; clusters <= 12; ++clusters)
    for (int tiles = 1; tiles <= 30; ++tiles)
      for (const int trips : {1, 15, 33, 40, 41, 63, 64, 100, 257, 700}) {
        CAPTURE(clusters);
        CAPTURE(tiles);
        CAPTURE(trips);
        const work_stream s = stream_of(tiles, trips, clusters);
        CHECK((s.whole % clusters == 0 || s.whole == tiles));
        made all = make(s);
        for (auto& parts : all.of_tile) {
          std::sort(parts.begin(), parts.end(), [](const auto& a, const auto& b) { return a.part < b.part; });
          int next = 0, part = 0;
          for (const work_item& item : parts) {
            REQUIRE(item.part == part++);
            REQUIRE(item.parts == static_cast<int>(parts.size()));
            REQUIRE(item.first == next);
            REQUIRE((item.is_whole() || item.end - item.first >= least_trips_of_a_part));
            next = item.end;
          }
          REQUIRE(next == trips);
        }
      }
}
TEST_CASE("no cluster makes more than a part above the mean of the rest, or two parts of one tile") {
  for (int clusters = 1; clusters <= 40; ++clusters)
    for (int tiles = 1; tiles <= 90; ++tiles)
      for (const int trips : {33, 64, 127, 500, 999}) {
        CAPTURE(clusters);
        CAPTURE(tiles);
        CAPTURE(trips);
        const work_stream s = stream_of(tiles, trips, clusters);
        if (s.parts == 1) continue;
        const int longest = (trips + s.parts - 1) / s.parts, before = s.whole / clusters * trips;
        for (const int made : make(s).trips)
          REQUIRE(made - before < 1.0 * s.rest() * trips / clusters + longest + s.parts);
        for (int n = s.whole; n < s.items(); ++n)
          for (int other = n + clusters; other < s.items(); other += clusters)
            REQUIRE(item_of(s, n).tile != item_of(s, other).tile);
      }
}
// Of clusters of two CTAs 72 run at once; and each CTA has tiles of its own.
STATIC_CASE(count_parts(8, 5, false, 2).tiles == 8 && count_parts(8, 5, false, 2).parts == 40);
STATIC_CASE(count_parts(8, 1, true, 2).tiles == 8 && count_parts(8, 1, true, 2).parts == 2 * 4 * 16);
STATIC_CASE(count_parts(26, 1, true, 2).parts == 2 * 13 * 16 && count_parts(28, 1, true, 2).parts == 2 * 3 * 72);
STATIC_CASE(count_parts(142, 1, true, 2).tiles == 142 && count_parts(4000, 1, true, 2).tiles == 142);
TEST_CASE("the workspace has room for the parts of any number of clusters") {
  for (int ctas = 1; ctas <= 8; ++ctas)
    for (int clusters = 1; clusters <= most_multiprocessors / ctas; ++clusters)
      for (const int tiles : {1, 7, 40, 133, 200, 1000})
        for (const int trips : {16, 100, 1000}) {
          const work_stream s = stream_of(tiles, trips, clusters);
          if (s.parts == 1) continue;
          REQUIRE(s.rest() <= most_streamed_tiles(tiles, ctas));
          REQUIRE(s.rest() * s.parts <= most_streamed_parts(tiles, ctas));
        }
}

}  // namespace
