#pragma once
// That stmatrix, with the addresses of fragment.hpp, stores an accumulator as it is.

#include <sectile/layouts/fragment.hpp>

namespace sectile {

namespace detail {

/// Whether stmatrix of `matrices` packed accumulator registers (4 or 2) puts every element at its own row and column of
/// the 16-row block, in every warp.
template <class AddressOf>
constexpr bool stores_accumulator(AddressOf address_of, bool transposed, int matrices) {
  for (int thread = 0; thread < warpgroup_threads; ++thread) {
    for (int q = 0; q < matrices; ++q) {
      for (int part = 0; part < 2; ++part) {
        const coord held = d16_coord(thread, q, part);
        const coord stored = stored_at(address_of, transposed, q, thread % 32, part);
        if (stored != coord{held.row % 16, held.col}) return false;
      }
    }
  }
  return true;
}

}  // namespace detail

/// Proof of the address maps of stmatrix, plain or with .trans. Later slabs of columns are the same four (two)
/// registers and 16 (8) columns on.
constexpr bool stmatrix_stores_accumulator(bool transposed) {
  if (transposed)
    return detail::stores_accumulator(stmatrix_column_address, transposed, 4) &&
           detail::stores_accumulator(stmatrix_column_address, transposed, 2);
  return detail::stores_accumulator(stmatrix_row_address, transposed, 4) &&
         detail::stores_accumulator(stmatrix_x2_row_address, transposed, 2);
}

}  // namespace sectile
