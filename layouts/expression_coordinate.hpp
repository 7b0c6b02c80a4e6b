#pragma once
// What may stand behind a value in the expression language: a colon with strides, or a coordinate in parentheses.

#include <string>

#include <sectile/layouts/expression_names.hpp>

namespace sectile::expressions {

/// The layout shape:stride of two values that begin at these positions. What is no tuple of integers, or has other
/// parentheses than the shape, is thrown as misuse.
inline value layout_of_values(const value& extents, int position, const value& steps, int stride_position) {
  int_tuple shape, stride;
  if (!as_tuple(extents, shape) || has_underscore(shape)) {
    throw misuse{position, std::string("before ':' stands a shape of integers, not ") + kind_name(extents)};
  }
  if (!as_tuple(steps, stride) || has_underscore(stride)) {
    throw misuse{stride_position, std::string("behind ':' stand strides that are integers, not ") + kind_name(steps)};
  }
  if (shape.form != stride.form) {
    throw misuse{stride_position, "the stride must have the same parentheses as the shape"};
  }
  require_extents(shape);
  return make_layout(shape, stride);
}

/// The offset of a coordinate of the layout that stands at a position, or with _ in the coordinate the slice; of a
/// swizzle where it moves the offset to. Another value is thrown as misuse; a coordinate outside is refused.
inline value at_coordinate(const value& of, const int_tuple& coordinate, int position) {
  if (const auto* s = std::get_if<swizzle>(&of); s != nullptr && !is_tuple(coordinate.form)) {
    if (coordinate.leaf[0] < 0) throw layout_error("a swizzle takes an offset of at least 0, not ", coordinate);
    return (*s)(coordinate.leaf[0]);
  }
  swizzled_layout l;
  if (!as_swizzled(of, l)) throw misuse{position, std::string(kind_name(of)) + " takes no coordinate"};
  if (has_underscore(coordinate)) return sliced(coordinate, {function_named("slice"), {of}, {position}}, 0);
  return is_swizzled(of) ? l.at(coordinate) : l.inner.at(coordinate);
}

}  // namespace sectile::expressions
