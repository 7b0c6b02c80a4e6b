#pragma once
// Slicing and dicing: a coordinate with _ splits a layout into the part where it says _ and the part where it gives
// a number. slice("(_,3)"_coord, L) is mode 0 of L, dice of the same is mode 1.

#include <sectile/layouts/coordinate.hpp>

namespace sectile {

/// Which leaves of the coordinate to keep.
enum class slice_part : std::uint8_t { wildcards, numbers };

/// Keeps the modes of t under the chosen leaves of the coordinate, side by side. Refuses a coordinate that does not
/// fit t, and of a layout one with an index outside of it.
template <tree T>
constexpr T keep_modes(const int_tuple& coordinate, const T& t, slice_part part) {
  if (!weakly_congruent(coordinate.form, t.form))
    throw layout_error("slice: coordinate ", coordinate, " does not fit ", t);
  if constexpr (std::is_same_v<T, layout>) require_coordinate(coordinate, t);
  auto kept = [&](const int_tuple& c) { return (c.leaf[0] == int_tuple::any) == (part == slice_part::wildcards); };
  if (!is_tuple(coordinate.form)) return kept(coordinate) ? t : empty_tree<T>();
  T result = empty_tree<T>();
  for (int i = 0; i < rank(coordinate); ++i) {
    const int_tuple c = mode(coordinate, i);
    if (!is_tuple(c.form)) {
      if (kept(c)) push_mode(result, mode(t, i));
      continue;
    }
    const T inner = keep_modes(c, mode(t, i), part);
    for (int m = 0; m < rank(inner); ++m) push_mode(result, mode(inner, m));
  }
  return wrap(result);
}

/// The modes of t where the coordinate says _, as a tuple (as they are, if the coordinate is just _). Inner tuples
/// of the coordinate do not nest the result: slice ((_,1),_) of ((a,b),c) is (a,c), as in CuTe.
template <tree T>
constexpr T slice(const int_tuple& coordinate, const T& t) {
  return keep_modes(coordinate, t, slice_part::wildcards);
}

/// The modes of t where the coordinate gives a number.
template <tree T>
constexpr T dice(const int_tuple& coordinate, const T& t) {
  return keep_modes(coordinate, t, slice_part::numbers);
}

/// The slice and the offset at which it starts.
/// Post: L(c) == offset + layout(the parts of c where the coordinate says _), for every c that has its numbers.
struct slice_at {
  layout kept;
  std::int64_t offset = 0;
};

/// The slice of a layout at a coordinate with _, and the offset at which it starts. Refuses what slice refuses.
constexpr slice_at slice_and_offset(const int_tuple& coordinate, const layout& l) {
  return {slice(coordinate, l), crd2idx(coordinate, l)};
}

}  // namespace sectile
