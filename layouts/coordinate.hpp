#pragma once
// Coordinates: from index to coordinate and back, between shapes, and one after the other.

#include <sectile/layouts/modes.hpp>

namespace sectile {

/// Offset of a coordinate of any profile that fits L (an index, one index per mode, ...). Refuses one that does not
/// fit; _ counts as 0. Extents are not checked: the last leaf of each mode goes on beyond its extent. Refuses what does
/// not fit 64 bits.
constexpr std::int64_t crd2idx(const int_tuple& coordinate, const layout& l) {
  if (!weakly_congruent(coordinate.form, l.form)) {
    throw layout_error("coordinate ", coordinate, " does not fit the profile ", l.form, " of ", l);
  }
  if (first_index_outside(coordinate, l).leaf < 0) return l.unbounded(coordinate);  // within cosize(l)
  std::int64_t farthest = 0, offset = 0;
  for (int k = 0; k < coordinate.form.leaves; ++k) {
    const std::int64_t index = coordinate.leaf[k] == int_tuple::any ? 0 : coordinate.leaf[k];
    farthest = checked_add(farthest, index < 0 ? -index : index);
  }
  for (int k = 0; k < l.form.leaves; ++k) {
    const std::int64_t step = l.leaf[k].stride;
    offset = checked_add(offset, checked_multiply(farthest, step < 0 ? -step : step));
  }
  return l.unbounded(coordinate);
}

/// crd2idx(coordinate, shape:stride).
constexpr std::int64_t crd2idx(const int_tuple& coordinate, const int_tuple& shape, const int_tuple& stride) {
  return crd2idx(coordinate, make_layout(shape, stride));
}

/// Index of a coordinate in the colexicographic order of a shape.
constexpr std::int64_t crd2idx(const int_tuple& coordinate, const int_tuple& shape) {
  layout compact = layout_left(shape);
  std::int64_t step = 1;
  for (int k = 0; k < shape.form.leaves; ++k) {
    compact.leaf[k].stride = step;  // also where the extent is 1, so that coordinates beyond it count
    step *= shape.leaf[k];
  }
  return crd2idx(coordinate, compact);
}

/// Coordinate of an index, with the profile of the shape. The last leaf is not bounded. If index is a tuple, each of
/// its leaves is the index into the mode of the shape that it stands for. Refuses an index that does not fit, _, and
/// extents below 1.
constexpr int_tuple idx2crd(const int_tuple& index, const int_tuple& shape) {
  require_extents(shape);
  if (has_underscore(index))
    throw layout_error("index ", index, " of the shape ", shape, " has a _, which is no number");
  if (!weakly_congruent(index, shape))
    throw layout_error("index ", index, " does not fit the profile of the shape ", shape);
  int_tuple result = shape;
  refinement walk(index.form);
  std::int64_t rest = index.leaf[0];
  for (int k = 0; k < shape.form.leaves; ++k) {
    const bool last = walk.step(index.form, shape.form, k);
    result.leaf[k] = last ? rest : rest % shape.leaf[k];
    rest /= shape.leaf[k];
    if (!last) continue;
    walk.next(index.form);
    rest = walk.leaf < index.form.leaves ? index.leaf[walk.leaf] : 0;
  }
  return result;
}

/// Coordinate at which a layout shape:stride, if it is compact, has this offset: each leaf is offset / stride modulo
/// its extent. Refuses stride 0 at an extent above 1, and an offset that no such coordinate has.
constexpr int_tuple idx2crd(std::int64_t offset, const int_tuple& shape, const int_tuple& stride) {
  const layout l = make_layout(shape, stride);
  int_tuple result = shape;
  for (int k = 0; k < shape.form.leaves; ++k) {
    if (l.leaf[k].shape == 1) {
      result.leaf[k] = 0;
      continue;
    }
    if (l.leaf[k].stride == 0) throw layout_error("idx2crd: offset ", offset, " does not tell a coordinate of ", l);
    result.leaf[k] = offset / l.leaf[k].stride % l.leaf[k].shape;
  }
  if (first_index_outside(result, l).leaf >= 0 || l.unbounded(result) != offset)
    throw layout_error("idx2crd: offset ", offset, " does not tell a coordinate of ", l);
  return result;
}

/// The coordinate of shape `to` with the same index as `coordinate` has in shape `from`; mode by mode where all
/// three are tuples. Refuses coordinates that do not fit.
constexpr int_tuple crd2crd(const int_tuple& coordinate, const int_tuple& from, const int_tuple& to) {
  if (!is_tuple(coordinate.form) || !is_tuple(from.form) || !is_tuple(to.form)) {
    return idx2crd(crd2idx(coordinate, from), to);
  }
  if (rank(coordinate) != rank(from) || rank(from) != rank(to)) {
    throw layout_error("crd2crd: coordinate ", coordinate, " and shapes ", from, " and ", to, " have different ranks");
  }
  int_tuple result = empty_tree<int_tuple>();
  for (int i = 0; i < rank(to); ++i) push_mode(result, crd2crd(mode(coordinate, i), mode(from, i), mode(to, i)));
  return wrap(result);
}

/// All coordinates of a shape in colexicographic order, each with the profile of the shape:
/// for (const int_tuple& c : coordinates("(2,3)"_shape)) visits (0,0), (1,0), (0,1), ... Refuses extents below 1.
struct coordinates {
  int_tuple shape;

  constexpr explicit coordinates(const int_tuple& of) : shape(of) { require_extents(of); }
  constexpr explicit coordinates(const layout& of) : shape(sectile::shape(of)) {}

  struct iterator {
    int_tuple at;
    const int_tuple* shape = nullptr;
    bool done = false;

    constexpr const int_tuple& operator*() const { return at; }

    constexpr iterator& operator++() {
      for (int k = 0; k < at.form.leaves; ++k) {
        if (++at.leaf[k] < shape->leaf[k]) return *this;
        at.leaf[k] = 0;
      }
      done = true;
      return *this;
    }

    friend constexpr bool operator==(const iterator& a, const iterator& b) { return a.done == b.done; }
  };

  constexpr iterator begin() const {
    int_tuple zero = shape;
    for (int k = 0; k < zero.form.leaves; ++k) zero.leaf[k] = 0;
    return {zero, &shape, false};
  }
  constexpr iterator end() const { return {shape, &shape, true}; }
};

}  // namespace sectile
