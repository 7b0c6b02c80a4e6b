// Shapes that the type of an expression already tells: checked where the expression stands, in the user's line.
#pragma once
#include <type_traits>

#include <sectile/layouts/element.hpp>

namespace sectile {

/// D (rows x cols) += A (a_rows x a_cols) * B (b_rows x b_cols).
template <int Rows, int Cols, int ARows, int ACols, int BRows, int BCols>
constexpr void require_product_shape() {
  static_assert(ACols == BRows,
                "a * b: the columns of a must equal the rows of b (ACols, BRows above); is a transpose() missing?");
  static_assert(ARows == Rows, "acc += a * b: the accumulator must have as many rows as a (Rows, ARows above)");
  static_assert(BCols == Cols, "acc += a * b: the accumulator must have as many columns as b (Cols, BCols above)");
}

template <int Rows, int Cols, int TileRows, int TileCols>
constexpr void require_store_shape() {
  static_assert(Rows == TileRows && Cols == TileCols,
                "store: the value (Rows x Cols) must have the shape of the output's tile (TileRows x TileCols)");
}

/// f32 accumulators are rounded to the output's type; everything else is stored as it is.
template <class Value, class Output>
constexpr void require_store_types() {
  static_assert(std::is_same_v<Value, Output> ||
                    (std::is_same_v<Value, float> && (std::is_same_v<Output, bf16> || std::is_same_v<Output, f16>)),
                "store: a value of type Value cannot become an output of type Output; f32 accumulators become f32, bf16 or "
                "f16, others keep their type: cast<Output>(value) first, or cast<float>(value)");
}

}  // namespace sectile
