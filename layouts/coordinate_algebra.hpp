#pragma once
// The algebra on layouts of coordinates. Composition, division and slices add and multiply strides and never ask how
// large one is, so they are done on a layout of plain numbers in which every step has a field of bits of its own; the
// fields of a resulting stride are what it takes of each step.

#include <sectile/layouts/coordinate_notation.hpp>
#include <sectile/layouts/partition.hpp>

namespace sectile {

/// Which step has which field of bits.
struct step_fields {
  int count = 0;
  int position[max_leaves + 1] = {};  ///< of a field's lowest bit; behind the last one, of the next
  basis_step step[max_leaves] = {};
};

/// A layout of coordinates as one of numbers, and how to find the steps again.
struct numbered_coordinates {
  layout numbers;
  step_fields fields;
};

/// Numbers for the steps. A leaf that goes on where the one before it ends shares its field, so that the two are one to
/// coalesce() as well. `reach`: how far beyond the end of a mode tiles may lead. Refuses extents that need more than 62
/// bits together.
constexpr numbered_coordinates numbered(const coordinate_layout& l, std::int64_t reach) {
  numbered_coordinates result;
  result.numbers.form = l.form;
  step_fields& fields = result.fields;
  const auto bits_for = [](std::int64_t n) {
    int bits = 0;
    while (n >> bits != 0) ++bits;
    return bits;
  };
  std::int64_t extent = 1;
  for (int k = 0; k < l.form.leaves; ++k) {
    axis& leaf = result.numbers.leaf[k];
    leaf = {l.extent[k], 0};
    if (l.step[k].is_zero()) continue;
    const axis before = k > 0 ? result.numbers.leaf[k - 1] : axis{};
    if (before.stride != 0 && l.step[k] == l.step[k - 1].times(l.extent[k - 1])) {
      leaf.stride = before.stride * before.shape;
      extent = checked_multiply(extent, leaf.shape);
    } else {
      fields.step[fields.count] = l.step[k];
      leaf.stride = std::int64_t{1} << fields.position[fields.count++];
      extent = leaf.shape;
    }
    fields.position[fields.count] = fields.position[fields.count - 1] + bits_for(checked_add(extent, reach)) + 1;
    if (fields.position[fields.count] > 62)
      throw layout_error("coordinates of ", l, " are refused: their extents need more than 62 bits together");
  }
  return result;
}

/// The step that a stride of such a layout stands for.
constexpr basis_step step_of(const step_fields& fields, std::int64_t stride) {
  basis_step result;
  const std::int64_t sign = stride < 0 ? -1 : 1;
  const std::int64_t distance = stride * sign;
  for (int f = 0; f < fields.count; ++f) {
    const std::int64_t width = fields.position[f + 1] - fields.position[f];
    const std::int64_t times = distance >> fields.position[f] & ((std::int64_t{1} << width) - 1);
    result = result.plus(fields.step[f].times(sign * times));
  }
  return result;
}

/// What `change` makes of the numbers of l, with steps again.
template <class Change>
constexpr coordinate_layout by_numbers(const coordinate_layout& l, std::int64_t reach, Change change) {
  const numbered_coordinates before = numbered(l, reach);
  const layout after = change(before.numbers);
  coordinate_layout result{.form = after.form, .space = l.space, .begin = l.begin};
  for (int k = 0; k < after.form.leaves; ++k) {
    result.extent[k] = after.leaf[k].shape;
    result.step[k] = step_of(before.fields, after.leaf[k].stride);
  }
  return result;
}

/// How far a tiler's tiles lead. Refuses what does not fit 64 bits: each tile does, together they need not.
constexpr std::int64_t reach_of(const tiler& t) {
  std::int64_t reach = 1;
  for (int k = 0; k < t.tiles.form.leaves; ++k) {
    const auto [extent, step] = t.tiles.leaf[k];
    reach = checked_add(reach, checked_multiply(extent - 1, step < 0 ? -step : step));
  }
  return reach;
}

/// L o B, and by modes. Refusals as for layouts of offsets.
constexpr coordinate_layout composition(const coordinate_layout& l, const tiler& t) {
  return by_numbers(l, reach_of(t), [&](const layout& n) { return composition(n, t); });
}
constexpr coordinate_layout logical_divide(const coordinate_layout& l, const tiler& t) {
  return by_numbers(l, reach_of(t), [&](const layout& n) { return logical_divide(n, t); });
}
constexpr coordinate_layout zipped_divide(const coordinate_layout& l, const tiler& t) {
  return by_numbers(l, reach_of(t), [&](const layout& n) { return zipped_divide(n, t); });
}
constexpr coordinate_layout tiled_divide(const coordinate_layout& l, const tiler& t) {
  return by_numbers(l, reach_of(t), [&](const layout& n) { return tiled_divide(n, t); });
}
constexpr coordinate_layout flat_divide(const coordinate_layout& l, const tiler& t) {
  return by_numbers(l, reach_of(t), [&](const layout& n) { return flat_divide(n, t); });
}

/// The fewest modes for the same function, and by modes.
constexpr coordinate_layout coalesce(const coordinate_layout& l) {
  return by_numbers(l, 0, [](const layout& n) { return coalesce(n); });
}
constexpr coordinate_layout coalesce(const coordinate_layout& l, const int_tuple& profile) {
  return by_numbers(l, 0, [&](const layout& n) { return coalesce(n, profile); });
}

/// Mode i; the modes under _ of a coordinate, beginning where its numbers say.
constexpr coordinate_layout mode(const coordinate_layout& l, int i) {
  return by_numbers(l, 0, [&](const layout& n) { return mode(n, i); });
}
constexpr coordinate_layout slice(const int_tuple& coordinate, const coordinate_layout& l) {
  coordinate_layout result = by_numbers(l, 0, [&](const layout& n) { return slice(coordinate, n); });
  const int_tuple at = l(coordinate);
  for (int d = 0; d < l.space.leaves; ++d) result.begin.along[d] = at.leaf[d];
  return result;
}

/// The tile at a coordinate among the tiles: where the TMA box begins that brings it is result.begin, or result(0).
template <class... How>
constexpr coordinate_layout local_tile(const coordinate_layout& l, const tiler& tile, const How&... how) {
  std::int64_t begin = 0;
  const numbered_coordinates coded = numbered(l, reach_of(tile));
  coordinate_layout result = by_numbers(l, reach_of(tile), [&](const layout& n) {
    const slice_at part = local_tile(n, tile, how...);
    begin = part.offset;
    return part.kept;
  });
  result.begin = l.begin.plus(step_of(coded.fields, begin));
  return result;
}

}  // namespace sectile
