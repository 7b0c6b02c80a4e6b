// Which member of a family of rows a launch takes: the one with the least room that holds a row, and of two with as much
// the one that draws its tiles, if it was given a workspace. So what won a race for a length is what a launch takes.
#include <doctest/doctest.h>

#include <sectile/dsl/launch/family.hpp>
#include <sectile/kernels/long_rows.hpp>

namespace {

using namespace sectile;
using namespace sectile::kernels;

/// Elements of the longest row that member `i` has in its tiles; 0: it has loops over them.
template <class P>
int room_of(int i) {
  const configuration& c = P::how.at[i];
  const int parts = c.tile.of(mode_named("P"));
  return c.variant == by_wide_tiles ? (parts > 0 ? parts : 1) * c.tile.of(mode_named("N")) * c.cluster.cols : 0;
}

template <class P>
void check_picks() {
  const gpu_constants& gpu = constants_of("NVIDIA H200");
  for (int i = 0; i < P::how.count; ++i) {
    const int room = room_of<P>(i), parts = P::how.at[i].tile.of(mode_named("P"));
    const bool drawn = P::how.at[i].dynamic;
    if (room == 0) continue;
    CAPTURE(i);
    CAPTURE(room);
    for (int other = 0; other < i; ++other) CHECK((room_of<P>(other) != room || P::how.at[other].dynamic != drawn));
    for (const int columns : {room, room - 64}) {
      const int rows = (1 << 27) / columns;
      const auto sizes = parts > 0 ? problem_size{{"M", rows}, {"P", parts}, {"N", columns / parts}}
                                   : problem_size{{"M", rows}, {"N", columns}};
      CHECK(choose(family_facts_of<P>, sizes, gpu, drawn ? 128 : 0).member == i);
    }
  }
}

}  // namespace

TEST_CASE("of rows that tiles hold the smallest tiles are taken, and no two members are as wide") {
  check_picks<softmax<bf16>>();
  check_picks<softmax<float>>();
  check_picks<rms_norm<bf16>>();
  check_picks<rms_norm<float>>();
  check_picks<layer_norm<bf16>>();
  check_picks<layer_norm<float>>();
  check_picks<long_softmax<bf16>>();
  check_picks<long_softmax<float>>();
  check_picks<long_rms_norm<bf16>>();
  check_picks<long_rms_norm<float>>();
  check_picks<long_layer_norm<bf16>>();
  check_picks<long_layer_norm<float>>();
}
