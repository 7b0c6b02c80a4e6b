#include <sectile/dsl/launch/table_pick.hpp>

#include <algorithm>

namespace sectile {

near_shapes::near_shapes(const measured_table& table, const tile_extents& sizes) {
  int modes = 0, wanted[max_measured_modes]{}, place[max_measured_modes]{};
  for (; modes < max_measured_modes && table.modes[modes] != mode_id::any; ++modes) {
    wanted[modes] = sizes.of(table.modes[modes]);
    place[modes] = place_of(wanted[modes]);
  }
  const auto distance_to = [&](const measured_shape& shape) {
    int distance = 0;
    for (int m = 0; m < modes; ++m) {
      const int d = shape.place[m] - place[m];
      distance += d * d;  // at most 6 (32 * 64)^2
    }
    return distance;
  };
  // The shapes are in the order of their first size: from where it is this one's, outwards to both sides, until that
  // size alone is too far.
  const auto squared = [](int x) { return x * x; };
  constexpr int furthest = 0x7FFFFFFF;
  const measured_shape *const end = table.shapes + table.count,
                              *above = std::lower_bound(table.shapes, end, place[0],
                                                        [](const measured_shape&s, int p) { return s.place[0] < p; }),
                              *below = above;
  for (int limit = furthest;;) {
    const int up = above != end ? squared(above->place[0] - place[0]) : furthest;
    const int down = below != table.shapes ? squared(below[-1].place[0] - place[0]) : furthest;
    if (std::min(up, down) >= limit) break;
    const measured_shape& shape = up <= down ? *above++ : *--below;
    const int distance = distance_to(shape);
    if (distance >= limit) continue;
    if (distance == 0) {
      bool same = true;
      for (int m = 0; m < modes; ++m) same = same && shape.sizes[m] == wanted[m];
      if (same) {
        best_ = shape.best;
        return;
      }
    }
    int n = count_ < most ? count_++ : most - 1;
    for (; n > 0 && at_[n - 1].distance > distance; --n) at_[n] = at_[n - 1];
    at_[n] = {&shape, distance, 0};
    if (count_ == most) limit = at_[most - 1].distance;
  }
  constexpr int octave = places_per_octave * places_per_octave, full_weight = 1 << 12;
  int all = full_weight;
  for (int n = 0; n < count_; ++n) {
    at_[n].weight = full_weight * octave / (octave + at_[n].distance);  // full_weight / (1 + octaves^2)
    all += at_[n].weight;
  }
  scale_ = ratio_step / all;
}

}  // namespace sectile
