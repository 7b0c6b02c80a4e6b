// Shapes that the type of an expression already tells: checked where the expression stands, in the user's line.
#pragma once

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

}  // namespace sectile
