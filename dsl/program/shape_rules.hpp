// What the types of an expression already tell: shapes, kinds of operands, element types. Checked where the expression
// stands, in the user's line.
#pragma once
#include <sectile/dsl/program/refusal.hpp>
#include <sectile/layouts/element.hpp>

namespace sectile {

/// D (rows x cols) += A (a_rows x a_cols) * B (b_rows x b_cols).
constexpr violation check_product_shape(int rows, int cols, int a_rows, int a_cols, int b_rows, int b_cols) {
  if (a_cols != b_rows)
    return refuse(rule::shapes_do_not_match, "acc += a * b: a is ", a_rows, " x ", a_cols, " and b is ", b_rows, " x ",
                  b_cols, "; the columns of a must equal the rows of b",
                  a_cols == b_cols   ? ": write a * transpose(b)"
                  : a_rows == b_rows ? ": write transpose(a) * b"
                                     : "");
  if (a_rows != rows || b_cols != cols)
    return refuse(rule::shapes_do_not_match, "acc += a * b: the accumulator is ", rows, " x ", cols, ", the product ",
                  a_rows, " x ", b_cols, "; they must have the same shape");
  return {};
}

/// Modes that are multiplied have the same size, so they have the same name, if both have one.
constexpr violation check_inner_modes(const char* a, const char* a_mode, const char* b, const char* b_mode) {
  const char *x = a_mode, *y = b_mode;
  while (*x && *x == *y) ++x, ++y;
  if (*x == *y || !*a_mode || !*b_mode) return {};
  return refuse(rule::shapes_do_not_match, "a * b: the columns of a are mode ", a_mode, " of ", a,
                ", the rows of b are mode ", b_mode, " of ", b,
                "; is a transpose() missing? Modes of one size have one name, or none");
}

/// A value that is stored must fill the output's tile.
constexpr violation check_store_shape(const char* output, int rows, int cols, int tile_rows, int tile_cols) {
  if (rows == tile_rows && cols == tile_cols) return {};
  return refuse(rule::store_shape_differs_from_the_output_tile, "store to ", output, ": the value is ", rows, " x ",
                cols, ", the tile of ", output, " is ", tile_rows, " x ", tile_cols, "; they must have the same shape");
}

constexpr bool can_be_stored(const element& t) {
  return t == element_of<bf16>() || t == element_of<f16>() || t == element_of<float>() || t == element_of<s32>();
}

/// f32 accumulators are rounded to the output's type; everything else is stored as it is.
constexpr violation check_store_types(const char* output, const element& value, const element& type) {
  if (value == type || !can_be_stored(type)) return {};  // what cannot be stored at all is refused as a declaration
  if (value == element_of<float>() && (type == element_of<bf16>() || type == element_of<f16>())) return {};
  return refuse(rule::store_type_differs_from_the_output, "store to ", output, ": a value of ", value.name,
                " cannot become an output of ", type.name, "; ",
                type == element_of<float>() ? "store cast<float>(value)" : "store an accumulator of f32",
                ", or declare ", output, " as ", value.name);
}

}  // namespace sectile
