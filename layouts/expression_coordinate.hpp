#pragma once
// What may stand behind a value in the expression language: a colon with strides, or a coordinate in parentheses.

#include <string>

#include <sectile/layouts/expression_names.hpp>

namespace sectile::expressions {

/// The shape that stands before ':' at a position. What is no tuple of integers is thrown as misuse.
inline int_tuple shape_of_value(const value& extents, int position) {
  int_tuple shape;
  if (!as_tuple(extents, shape) || has_underscore(shape)) {
    throw misuse{position, std::string("before ':' stands a shape of integers, not ") + kind_name(extents)};
  }
  return shape;
}

/// The layout shape:stride of two values that begin at these positions. What is no tuple of integers, or has other
/// parentheses than the shape, is thrown as misuse.
inline value layout_of_values(const value& extents, int position, const value& steps, int stride_position) {
  const int_tuple shape = shape_of_value(extents, position);
  int_tuple stride;
  if (!as_tuple(steps, stride) || has_underscore(stride)) {
    throw misuse{stride_position, std::string("behind ':' stand strides that are integers, not ") + kind_name(steps)};
  }
  if (shape.form != stride.form) {
    throw misuse{stride_position, "the stride must have the same parentheses as the shape"};
  }
  require_extents(shape);
  return make_layout(shape, stride);
}

/// The coordinates of l, counted from another origin: ArithTuple(0,8) o (128,64):(1@1,1@0), as CuTe prints it.
inline value begun(const int_tuple& origin, coordinate_layout l) {
  if (has_underscore(origin) || origin.form.leaves > max_dimensions)
    throw layout_error("the coordinate ", origin, " before a layout of coordinates has 1 to ", max_dimensions,
                       " numbers");
  if (origin.form.leaves > l.space.leaves) l.space = space_of(origin.form.leaves);
  for (int d = 0; d < origin.form.leaves; ++d) l.begin.along[d] = checked_add(l.begin.along[d], origin.leaf[d]);
  return l;
}

/// The offset of a coordinate of the layout that stands at a position, or with _ in the coordinate the slice; of a
/// swizzle where it moves the offset to; of a layout of coordinates the coordinate. Another value is thrown as misuse;
/// a coordinate outside is refused.
inline value at_coordinate(const value& of, const int_tuple& coordinate, int position) {
  if (const auto* s = std::get_if<swizzle>(&of); s != nullptr && !is_tuple(coordinate.form)) {
    if (coordinate.leaf[0] < 0) throw layout_error("a swizzle takes an offset of at least 0, not ", coordinate);
    return (*s)(coordinate.leaf[0]);
  }
  if (const auto* c = std::get_if<coordinate_layout>(&of))
    return has_underscore(coordinate) ? value(slice(coordinate, *c)) : value_of((*c)(coordinate));
  swizzled_layout l;
  if (!as_swizzled(of, l)) throw misuse{position, std::string(kind_name(of)) + " takes no coordinate"};
  if (has_underscore(coordinate)) return sliced(coordinate, {function_named("slice"), {of}, {position}}, 0);
  return is_swizzled(of) ? l.at(coordinate) : l.inner.at(coordinate);
}

}  // namespace sectile::expressions
