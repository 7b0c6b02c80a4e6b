// What the types of an expression already tell: shapes, kinds of operands, element types. Checked where the expression
// stands, in the user's line.
#pragma once
#include <sectile/dsl/program/mode.hpp>
#include <sectile/dsl/program/refusal.hpp>
#include <sectile/layouts/element.hpp>

namespace sectile {

/// Rows and columns of a value, elements, and the modes that they are along.
struct matrix_shape {
  int rows = 0, cols = 0;
  mode_id row_mode = mode_id::any, col_mode = mode_id::any;
};
constexpr const char* said_mode(const mode_text& m) { return m.text[0] ? m.text : "no mode"; }

/// D += A * B.
struct product_shapes {
  matrix_shape d{}, a{}, b{};
};
constexpr violation check_product(const product_shapes& p) {
  const auto& [d, a, b] = p;
  if (a.cols != b.rows)
    return refuse(rule::shapes_do_not_match, "acc += a * b: a is ", a.rows, " x ", a.cols, " and b is ", b.rows, " x ",
                  b.cols, "; the columns of a must equal the rows of b",
                  a.cols == b.cols   ? ": write a * transpose(b)"
                  : a.rows == b.rows ? ": write transpose(a) * b"
                                     : "");
  if (a.rows != d.rows || b.cols != d.cols)
    return refuse(rule::shapes_do_not_match, "acc += a * b: the accumulator is ", d.rows, " x ", d.cols,
                  ", the product ", a.rows, " x ", b.cols, "; they must have the same shape");
  if (!alike(a.col_mode, b.row_mode))
    return refuse(rule::values_are_along_other_modes, "a * b: the columns of a are along ",
                  said_mode(text_of(a.col_mode)), ", the rows of b along ", said_mode(text_of(b.row_mode)),
                  "; is a transpose() missing? What is summed over has one name");
  if (!alike(a.row_mode, d.row_mode) || !alike(b.col_mode, d.col_mode))
    return refuse(rule::values_are_along_other_modes, "acc += a * b: the accumulator is along ",
                  said_mode(text_of(d.row_mode)), " x ", said_mode(text_of(d.col_mode)), ", the product along ",
                  said_mode(text_of(a.row_mode)), " x ", said_mode(text_of(b.col_mode)),
                  alike(a.row_mode, d.col_mode) && alike(b.col_mode, d.row_mode)
                      ? "; write transpose(b) * transpose(a)"
                      : "; one along the product's modes is sm.accumulator(a * b)");
  return {};
}

/// A configuration that swaps keeps the transpose of every value in registers: what is done element by element is the
/// same there, what knows rows from columns is not.
constexpr violation check_swap(const char* what, bool swaps) {
  if (!swaps) return {};
  return refuse(
      rule::configuration_does_not_fit_the_program, ".swap = true with ", what,
      ": registers hold the transpose, where only what is done to each element is the same; leave .swap out of "
      "this program's configurations");
}

/// A value that is stored must fill the output's tile, along the output's modes.
constexpr violation check_store_shape(const char* output, const matrix_shape& x, const matrix_shape& tile) {
  if (x.rows != tile.rows || x.cols != tile.cols)
    return refuse(rule::store_shape_differs_from_the_output_tile, "store to ", output, ": the value is ", x.rows, " x ",
                  x.cols, ", the tile of ", output, " is ", tile.rows, " x ", tile.cols,
                  "; they must have the same shape");
  if (!alike(x.row_mode, tile.row_mode) || !alike(x.col_mode, tile.col_mode))
    return refuse(rule::values_are_along_other_modes, "store to ", output, ": the value is along ",
                  said_mode(text_of(x.row_mode)), " x ", said_mode(text_of(x.col_mode)), ", ", output, " along ",
                  said_mode(text_of(tile.row_mode)), " x ", said_mode(text_of(tile.col_mode)), "; declare it ", output,
                  "(", said_mode(text_of(x.row_mode)), ",", said_mode(text_of(x.col_mode)), ")",
                  alike(x.row_mode, tile.col_mode) && alike(x.col_mode, tile.row_mode)
                      ? ", or sum transpose(b) * transpose(a)"
                      : "");
  return {};
}

constexpr bool can_be_stored(const element& t) {
  for (const element& known : {element_of<bf16>(), element_of<f16>(), element_of<float>(), element_of<s32>(),
                               element_of<e4m3>(), element_of<e5m2>(), element_of<s8>(), element_of<u8>()})
    if (t == known) return true;
  return false;
}

/// f32 accumulators are rounded to the output's type; everything else is stored as it is.
constexpr violation check_store_types(const char* output, const element& value, const element& type) {
  if (value == type || !can_be_stored(type)) return {};  // what cannot be stored at all is refused as a declaration
  if (value == element_of<float>() && type.bits < 32) return {};
  violation v = refuse(rule::store_type_differs_from_the_output, "store to ", output, ": a value of ", value.name,
                       " cannot become an output of ", type.name, "; ",
                       type == element_of<float>() || type.bits == 8 ? "store cast<float>(value)"
                       : type == element_of<s32>()                   ? "only sums of integers are s32"
                                                                     : "store an accumulator of f32");
  return can_be_stored(value) ? v << ", or declare " << output << " as " << value.name : v;
}

}  // namespace sectile
