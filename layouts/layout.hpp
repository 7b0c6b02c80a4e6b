#pragma once
// A layout: a function from coordinates to offsets, given by a shape and a stride of the same nesting. Coordinates
// count colexicographically (the leftmost mode runs fastest), as in CuTe: with ((2,2),4):((1,8),2) coordinate
// (3,1), which is ((1,1),1), has offset 1 + 8 + 2 = 11.
//
// A layout is a structural value: it may be a template argument, and every function of this folder that takes one
// works in a static_assert, at run time and in a picture alike. Evaluation works in device code too.
//
// Source: the CuTe documentation, "CuTe Layouts" and "CuTe Layout Algebra".

#include <cstdint>
#include <type_traits>

#include <sectile/layouts/int_tuple.hpp>

namespace sectile {

/// One leaf of a layout: `shape` offsets that lie `stride` apart.
struct axis {
  std::int64_t shape = 0;
  std::int64_t stride = 0;
  friend constexpr bool operator==(const axis&, const axis&) = default;
};

struct layout;

/// Refuses a coordinate (an index, one index per mode, or any profile) that does not fit L or that has an index outside
/// of what it counts; _ fits everywhere.
constexpr void require_coordinate(const int_tuple& coordinate, const layout& l);

/// The coordinate (i, j, ...) of integers, or the one that is given.
template <class... Index>
constexpr int_tuple coordinate_of(Index... index) {
  static_assert(sizeof...(Index) > 0 && sizeof...(Index) <= max_leaves, "a coordinate has 1 to 24 indices");
  if constexpr (sizeof...(Index) == 1) return int_tuple(index...);
  int_tuple result;
  result.form.leaves = sizeof...(Index);
  result.form.open[0] = result.form.close[sizeof...(Index) - 1] = 1;
  std::int64_t* to = result.leaf;
  ((*to++ = static_cast<std::int64_t>(index)), ...);
  return result;
}
constexpr int_tuple coordinate_of(const int_tuple& coordinate) { return coordinate; }

/// A nesting with one axis per leaf. The default is 1:0. Every extent is at least 1; strides may be 0 or negative;
/// size and cosize fit 64 bits (the functions that make layouts see to it).
///
/// L(...) is the offset of a coordinate of L. In constant evaluation it refuses others: too many or too few indices,
/// and an index outside of its mode. At run time, where it may stand in an inner loop, it does not look; at(...) does,
/// always. crd2idx() is for indices beyond the end.
struct layout {
  nesting form;
  axis leaf[max_leaves] = {{1, 0}};

  /// Offset of the coordinate with index i. Precondition: 0 <= i < size(L). (At run time the last leaf is not bounded,
  /// so that i >= size(L) goes on along it, and the offset of -i is minus that of i.)
  constexpr std::int64_t operator()(std::int64_t i) const {
    if (std::is_constant_evaluated() && !has_index(i)) require_coordinate(i, *this);
    return unbounded(i);
  }

  /// Offset of the coordinate (i, j, ...), one index per top-level mode. Precondition: their number is the rank, and
  /// each is at least 0 and less than the size of its mode.
  template <class... Index, class = std::enable_if_t<(sizeof...(Index) > 1) && (std::is_integral_v<Index> && ...)>>
  constexpr std::int64_t operator()(Index... index) const {
    if (std::is_constant_evaluated()) require_coordinate(coordinate_of(index...), *this);
    std::int64_t rest[] = {static_cast<std::int64_t>(index)...};
    std::int64_t offset = 0;
    int level = 0;
    int mode = 0;
    for (int k = 0; k < form.leaves && mode < static_cast<int>(sizeof...(Index)); ++k) {
      level += form.open[k] - form.close[k];
      if (level <= 1) {
        offset += rest[mode++] * leaf[k].stride;
      } else {
        offset += rest[mode] % leaf[k].shape * leaf[k].stride;
        rest[mode] /= leaf[k].shape;
      }
    }
    return offset;
  }

  /// Offset of a coordinate of any profile; _ counts as 0. Precondition: weakly_congruent(coordinate, *this), and its
  /// indices are inside.
  constexpr std::int64_t operator()(const int_tuple& coordinate) const {
    if (std::is_constant_evaluated()) require_coordinate(coordinate, *this);
    return unbounded(coordinate);
  }

  /// L(coordinate...), and a refusal of what is no coordinate of L, at run time too.
  template <class... Coordinate>
  constexpr std::int64_t at(const Coordinate&... coordinate) const {
    require_coordinate(coordinate_of(coordinate...), *this);
    return (*this)(coordinate...);
  }

  /// Whether 0 <= i < size(L).
  constexpr bool has_index(std::int64_t i) const {
    std::int64_t size = 1;
    for (int k = 0; k < form.leaves; ++k) size *= leaf[k].shape;
    return i >= 0 && i < size;
  }

  /// L(i) of any i, as at run time.
  constexpr std::int64_t unbounded(std::int64_t i) const {
    std::int64_t offset = 0;
    for (int k = 0; k + 1 < form.leaves; ++k) {
      offset += i % leaf[k].shape * leaf[k].stride;
      i /= leaf[k].shape;
    }
    return form.leaves == 0 ? 0 : offset + i * leaf[form.leaves - 1].stride;
  }

  /// The same of a coordinate of any profile: the last leaf of each of its indices is not bounded.
  constexpr std::int64_t unbounded(const int_tuple& coordinate) const {
    std::int64_t offset = 0;
    std::int64_t rest = 0;
    bool fresh = true;
    refinement walk(coordinate.form);
    for (int k = 0; k < form.leaves; ++k) {
      if (fresh) rest = coordinate.leaf[walk.leaf] == int_tuple::any ? 0 : coordinate.leaf[walk.leaf];
      fresh = walk.step(coordinate.form, form, k);
      offset += (fresh ? rest : rest % leaf[k].shape) * leaf[k].stride;
      rest /= leaf[k].shape;
      if (fresh) walk.next(coordinate.form);
    }
    return offset;
  }

  friend constexpr bool operator==(const layout&, const layout&) = default;
};

/// The shape alone.
constexpr int_tuple shape(const layout& l) {
  int_tuple result;
  result.form = l.form;
  for (int k = 0; k < l.form.leaves; ++k) result.leaf[k] = l.leaf[k].shape;
  return result;
}

/// The strides alone.
constexpr int_tuple stride(const layout& l) {
  int_tuple result;
  result.form = l.form;
  for (int k = 0; k < l.form.leaves; ++k) result.leaf[k] = l.leaf[k].stride;
  return result;
}

/// Prints as CuTe does: shape:stride.
constexpr void print(message& to, const layout& l) { to.add(shape(l)).add(':').add(stride(l)); }

/// A leaf of a coordinate whose index is outside of what it counts, and how many that is; leaf -1 if there is none.
struct index_outside {
  int leaf = -1;
  std::int64_t extent = 1;
};

/// The first index of a coordinate of any profile that is not in its extent. Precondition: weakly_congruent(coordinate,
/// l).
constexpr index_outside first_index_outside(const int_tuple& coordinate, const layout& l) {
  refinement walk(coordinate.form);
  std::int64_t extent = 1;
  for (int k = 0; k < l.form.leaves; ++k) {
    extent *= l.leaf[k].shape;
    if (!walk.step(coordinate.form, l.form, k)) continue;
    const std::int64_t index = coordinate.leaf[walk.leaf];
    if (index != int_tuple::any && (index < 0 || index >= extent)) return {walk.leaf, extent};
    walk.next(coordinate.form);
    extent = 1;
  }
  return {};
}

constexpr void require_coordinate(const int_tuple& coordinate, const layout& l) {
  if (!weakly_congruent(coordinate.form, l.form)) {
    throw layout_error("coordinate ", coordinate, " does not fit the profile ", l.form, " of ", l);
  }
  const auto [leaf, extent] = first_index_outside(coordinate, l);
  if (leaf < 0) return;
  const std::int64_t index = coordinate.leaf[leaf];
  throw layout_error("coordinate ", coordinate, " lies outside of ", l, ": index ", index, " is not in 0 to ",
                     extent - 1);
}

/// Number of coordinates (1 for the empty layout).
constexpr std::int64_t size(const layout& l) {
  std::int64_t result = 1;
  for (int k = 0; k < l.form.leaves; ++k) result *= l.leaf[k].shape;
  return result;
}

/// Number of offsets from the smallest to the largest, both included; with no negative stride, the largest + 1.
constexpr std::int64_t cosize(const layout& l) {
  std::int64_t result = 1;
  for (int k = 0; k < l.form.leaves; ++k) {
    result += (l.leaf[k].shape - 1) * (l.leaf[k].stride < 0 ? -l.leaf[k].stride : l.leaf[k].stride);
  }
  return result;
}

/// The number of top-level modes, and how deep the parentheses go: 0 for a single leaf.
constexpr int rank(const layout& l) { return rank(l.form); }
constexpr int depth(const layout& l) { return depth(l.form); }
constexpr int rank(const int_tuple& t) { return rank(t.form); }
constexpr int depth(const int_tuple& t) { return depth(t.form); }

/// Whether the two have the same profile.
constexpr bool congruent(const layout& a, const layout& b) { return a.form == b.form; }

/// Whether coordinates of a's shape may be used with b: see compatible(int_tuple, int_tuple).
constexpr bool compatible(const layout& a, const layout& b) { return compatible(shape(a), shape(b)); }

/// Whether b's parentheses refine a's.
constexpr bool weakly_congruent(const layout& a, const layout& b) { return weakly_congruent(a.form, b.form); }

/// The layout itself, if every extent is at least 1 and size and cosize fit 64 bits; refuses it otherwise.
constexpr layout checked_layout(const layout& l) {
  std::int64_t size = 1;
  std::int64_t cosize = 1;
  for (int k = 0; k < l.form.leaves; ++k) {
    const auto [extent, step] = l.leaf[k];
    if (extent < 1) throw layout_error("extent ", extent, " in layout ", l, ": every extent must be at least 1");
    if (step == INT64_MIN) throw layout_error("stride ", step, " in layout ", l, " cannot be negated");
    const std::int64_t distance = step < 0 ? -step : step;
    if (!product_fits(size, extent)) throw layout_error("layout ", l, " has more elements than 64 bits can count");
    if (!product_fits(extent - 1, distance) || !sum_fits(cosize, (extent - 1) * distance)) {
      throw layout_error("layout ", l, " has offsets further apart than 64 bits can count");
    }
    size *= extent;
    cosize += (extent - 1) * distance;
  }
  return l;
}

/// Shape and stride as one layout. Refuses different profiles, extents below 1, and overflow.
constexpr layout make_layout(const int_tuple& shape, const int_tuple& stride) {
  if (shape.form != stride.form) {
    throw layout_error("shape ", shape, " and stride ", stride, " have different profiles, ", shape.form, " and ",
                       stride.form);
  }
  layout result;
  result.form = shape.form;
  result.leaf[0] = {};
  for (int k = 0; k < shape.form.leaves; ++k) result.leaf[k] = {shape.leaf[k], stride.leaf[k]};
  return checked_layout(result);
}

/// Refuses extents below 1 (and _), and a size that does not fit 64 bits.
constexpr void require_extents(const int_tuple& shape) {
  std::int64_t size = 1;
  for (int k = 0; k < shape.form.leaves; ++k) {
    if (shape.leaf[k] < 1) throw layout_error("shape ", shape, ": every extent must be at least 1");
    if (!product_fits(size, shape.leaf[k]))
      throw layout_error("shape ", shape, " has more elements than 64 bits can count");
    size *= shape.leaf[k];
  }
}

/// The compact layout of a shape with the leftmost leaf contiguous, or with the rightmost one; leaves of extent 1 get
/// stride 0, as in CuTe.
constexpr layout compact_layout(const int_tuple& shape, bool from_left) {
  require_extents(shape);
  layout result;
  result.form = shape.form;
  result.leaf[0] = {};
  std::int64_t step = 1;
  for (int i = 0; i < shape.form.leaves; ++i) {
    const int k = from_left ? i : shape.form.leaves - 1 - i;
    result.leaf[k] = {shape.leaf[k], shape.leaf[k] == 1 ? 0 : step};
    step *= shape.leaf[k];
  }
  return result;
}
constexpr layout layout_left(const int_tuple& shape) { return compact_layout(shape, true); }
constexpr layout layout_right(const int_tuple& shape) { return compact_layout(shape, false); }

/// layout_left(shape).
constexpr layout make_layout(const int_tuple& shape) { return layout_left(shape); }

}  // namespace sectile
