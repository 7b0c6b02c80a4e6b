#pragma once
// The notation of layouts of coordinates: (128,64):(1@1,1@0), and what CuTe prints of a tensor for TMA.

#include <sectile/layouts/coordinate_layout.hpp>
#include <sectile/layouts/notation.hpp>

namespace sectile {

namespace detail {

/// "1@0", or "0" for none, or a sum. A path is printed from its end, as CuTe does: part 1 of dimension 0 is @1@0.
constexpr void print_step(message& to, const basis_step& s, const nesting& space) {
  bool first = true;
  for (int d = 0; d < space.leaves; ++d) {
    if (s.along[d] == 0) continue;
    if (!first) to.add('+');
    first = false;
    to.add(s.along[d]);
    // The path to leaf d, outermost part first.
    int path[max_depth] = {};
    int depth = 0;
    for (int k = 0; k <= d; ++k) {
      if (k > 0 && depth > 0) ++path[depth - 1];
      for (int p = 0; p < space.open[k]; ++p) path[depth++] = 0;
      if (k < d) depth -= space.close[k];
    }
    while (depth > 0) to.add('@').add(path[--depth]);
  }
  if (first) to.add('0');
}

}  // namespace detail

/// Prints as (0,0) o (128,64):(1@1,1@0), or without a begin at the origin.
constexpr void print(message& to, const coordinate_layout& l) {
  if (!l.begin.is_zero()) to.add(l.in_space(l.begin)).add(" o ");
  to.add(l.domain()).add(':');
  print_tree(to, l.form, [&](int k) { detail::print_step(to, l.step[k], l.space); });
}

namespace detail {

/// 3@1, 0, or a sum as a step. Dimensions are counted in `most`.
constexpr basis_step read_step(reader& in, int& most) {
  basis_step result;
  do {
    const std::int64_t length = in.number("expected a step such as 1@0");
    if (!in.accept('@')) {
      if (length != 0) in.fail("expected '@' and a dimension behind the step");
      return result;
    }
    const std::int64_t dimension = in.number("expected a dimension behind '@'");
    if (in.accept('@')) in.fail("a part of a dimension (1@1@0) is not read; flatten the layout first");
    if (dimension < 0 || dimension >= max_dimensions) in.fail("a dimension is 0 to 7");
    if (in.problem != nullptr) return {};
    result.along[dimension] = length;
    most = dimension + 1 > most ? static_cast<int>(dimension) + 1 : most;
  } while (in.accept('+'));
  return result;
}

/// The steps of a layout of the given form.
constexpr void read_steps(reader& in, coordinate_layout& l, int& dimensions) {
  for (int k = 0; k < l.form.leaves; ++k) {
    if (k > 0 && !in.accept(',')) in.fail("expected ',' between the steps");
    for (int p = 0; p < l.form.open[k]; ++p)
      if (!in.accept('(')) in.fail("the steps must have the same parentheses as the shape");
    l.step[k] = read_step(in, dimensions);
    for (int p = 0; p < l.form.close[k]; ++p)
      if (!in.accept(')')) in.fail("the steps must have the same parentheses as the shape");
  }
}

/// The steps behind a shape and ':'. Dimensions are counted in `dimensions`.
constexpr coordinate_layout read_coordinates(reader& in, const int_tuple& shape, int dimensions) {
  coordinate_layout l{.form = shape.form};
  for (int k = 0; k < shape.form.leaves; ++k) l.extent[k] = shape.leaf[k];
  read_steps(in, l, dimensions);
  l.space = space_of(dimensions);
  return l;
}

/// The coordinate at which a layout begins, in front of " o ": (0,8) or ArithTuple(0,8).
constexpr int_tuple read_begin(reader& in) {
  const reader before = in;
  in.skip_spaces();
  in.accept_word("ArithTuple");
  const int_tuple begin = in.tuple(false);
  if (in.problem == nullptr && in.accept('o') && begin.form.leaves <= max_dimensions) return begin;
  in = before;
  return empty_tree<int_tuple>();
}

}  // namespace detail

/// Reads "(128,64):(1@1,1@0)", also as CuTe prints it: "ArithTuple(_0,_0) o (_128,_64):(_1@1,_1@0)".
constexpr parsed<coordinate_layout> try_parse_coordinates(const char* text, std::size_t length) {
  reader in = reader_of(text, length);
  const int_tuple begin = detail::read_begin(in);
  const int_tuple shape = read_shape(in);
  if (!in.accept(':')) in.fail("expected ':' and steps such as (1@0,1@1)");
  coordinate_layout l = detail::read_coordinates(in, shape, begin.form.leaves > 1 ? begin.form.leaves : 1);
  for (int d = 0; d < begin.form.leaves; ++d) l.begin.along[d] = begin.leaf[d];
  in.expect_end();
  return {l, in.position, in.problem};
}

namespace literals {

/// "(128,64):(1@1,1@0)"_coordinates
#if defined(__clang__)
constexpr coordinate_layout operator""_coordinates(const char* text, std::size_t length) {
  const auto read = try_parse_coordinates(text, length);
  return read ? read.value : refused_text<coordinate_layout>(read.position, read.problem, text, length);
}
#else
template <literal_text Text>
constexpr coordinate_layout operator""_coordinates() {
  return literal_value<try_parse_coordinates, Text>::read.value;
}
#endif

}  // namespace literals

}  // namespace sectile
