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
  const auto is_measured = [&](const measured_shape& shape) {
    for (int m = 0; m < modes; ++m)
      if (shape.sizes[m] != wanted[m]) return false;
    return true;
  };
  // The nearest so far, the closest first: a distance and, in the lower half, which shape it is.
  constexpr std::int64_t nobody = std::int64_t{0x7FFFFFFF} << 32;
  std::int64_t nearest[most];
  std::fill(nearest, nearest + most, nobody);
  const auto limit = [&] { return static_cast<int>(nearest[most - 1] >> 32); };
  const auto look_at = [&](const measured_shape& shape) {
    const int distance = distance_to(shape);
    if (distance >= limit()) return;
    if (distance == 0 && is_measured(shape)) best_ = shape.best;
    std::int64_t key = std::int64_t{distance} << 32 | (&shape - table.shapes);
    for (std::int64_t& k : nearest) {  // it sinks to its place; without a branch, which no processor would foresee
      const std::int64_t other = k;
      k = other < key ? other : key;
      key = other < key ? key : other;
    }
  };
  const auto too_far = [&](const measured_shape& shape) {
    const int first = shape.place[0] - place[0];
    return first * first >= limit();
  };
  // The shapes are in the order of their first size: from where it is this one's, outwards to one side and then to the
  // other, until that size alone is too far. (To both in turns fewer are looked at, and again by a branch that comes as
  // a surprise every other time.)
  const measured_shape *const end = table.shapes + table.count, *const middle =
                                                                    std::lower_bound(table.shapes, end, place[0],
                                                                                     [](const measured_shape&s, int p) {
                                                                                       return s.place[0] < p;
                                                                                     });
  for (const measured_shape* s = middle; s != end && !too_far(*s); ++s) look_at(*s);
  for (const measured_shape* s = middle; s != table.shapes && !too_far(s[-1]); --s) look_at(s[-1]);
  if (best_ >= 0) return;
  constexpr int octave = places_per_octave * places_per_octave, full_weight = 1 << 12;
  int all = full_weight;
  const auto shape_of = [&](std::int64_t key) -> const measured_shape& { return table.shapes[key & 0xFFFFFFFF]; };
  if (nearest[0] != nobody) nearest_best_ = shape_of(nearest[0]).best;
  for (; count_ < most && nearest[count_] != nobody; ++count_) {
    const int distance = static_cast<int>(nearest[count_] >> 32);
    const int weight = full_weight * octave / (octave + distance);  // full_weight / (1 + octaves^2)
    at_[count_] = {shape_of(nearest[count_]).ratios, weight};
    all += weight;
  }
  scale_ = ratio_step / all;
}

}  // namespace sectile
