#pragma once
// Bank conflicts of any access to shared memory, which is looked at first. What a pass is bank_passes.hpp says.

#include <cstddef>
#include <cstdint>

#include <sectile/layouts/bank_passes.hpp>
#include <sectile/layouts/error.hpp>

namespace sectile {

/// The worst pass of one access by lanes 0 .. lanes-1, each of `width` bytes at address_of(lane). Refuses widths other
/// than 1, 2, 4, 8 and 16 bytes, fewer than 1 or more than 32 lanes, and addresses below 0 or not a multiple of the
/// width, which the hardware would trap.
template <class AddressOf>
constexpr bank_conflict worst_conflict(AddressOf address_of, int width, int lanes = warp_lanes) {
  if (width < 1 || width > 16 || (width & (width - 1)) != 0) {
    throw layout_error("an access is 1, 2, 4, 8 or 16 bytes wide, not ", width);
  }
  if (lanes < 1 || lanes > warp_lanes) throw layout_error("an access is by 1 to ", warp_lanes, " lanes, not ", lanes);
  for (int lane = 0; lane < lanes; ++lane) {
    const std::int64_t address = address_of(lane);
    if (address < 0) throw layout_error("lane ", lane, " begins at byte ", address, ", below shared memory");
    if (address % width != 0) {
      throw layout_error("lane ", lane, " begins at byte ", address, ", which is not a multiple of the access's ",
                         width);
    }
  }
  return worst_pass(address_of, width, lanes);
}

/// Greatest number of distinct 4-byte words that meet in one bank in one pass; 1 means free of conflicts. Refuses what
/// worst_conflict() refuses.
template <class AddressOf>
constexpr int conflict_degree(AddressOf address_of, int width, int lanes = warp_lanes) {
  return worst_conflict(address_of, width, lanes).degree;
}

/// The same from an array of one address per lane.
template <class Address, std::size_t Lanes>
constexpr int conflict_degree(const Address (&addresses)[Lanes], int width) {
  static_assert(Lanes <= warp_lanes, "a warp has 32 lanes");
  return conflict_degree([&addresses](int lane) { return addresses[lane]; }, width, static_cast<int>(Lanes));
}

/// The worst pass of stmatrix or ldmatrix .x1, .x2 or .x4 (`matrices` = 1, 2, 4): lanes 8q .. 8q+7 give the addresses
/// of the 16-byte rows of matrix q, and each matrix is a pass of its own. Refuses other numbers of matrices, and rows
/// that are not aligned to 16 bytes.
template <class AddressOf>
constexpr bank_conflict worst_matrix_conflict(AddressOf row_address_of_lane, int matrices = 4) {
  if (matrices != 1 && matrices != 2 && matrices != 4)
    throw layout_error("an instruction moves 1, 2 or 4 matrices, not ", matrices);
  return worst_conflict(row_address_of_lane, 16, 8 * matrices);
}

/// Its degree.
template <class AddressOf>
constexpr int matrix_conflict_degree(AddressOf row_address_of_lane, int matrices = 4) {
  return worst_matrix_conflict(row_address_of_lane, matrices).degree;
}

}  // namespace sectile
