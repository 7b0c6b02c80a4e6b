#pragma once
// Bank conflicts of a warp's shared-memory access. Memory has 32 banks of 4 bytes, side by side; in one pass a bank
// serves one 4-byte word (to any number of lanes, and to any of its bytes). A pass moves at most 128 bytes, so 8-byte
// accesses go half a warp at a time, 16-byte accesses a quarter at a time, and stmatrix or ldmatrix one matrix (8 rows
// of 16 bytes) at a time.
//
// Source: CUDA C++ Programming Guide, "Shared Memory"; the split of wide accesses is how NVIDIA's profilers count them.

#include <cstddef>
#include <cstdint>

#include <sectile/layouts/error.hpp>

namespace sectile {

constexpr int warp_lanes = 32;
constexpr int shared_banks = 32;
constexpr int bank_bytes = 4;

/// The worst pass of an access: the bank (the first of them, for wide accesses) in which `degree` distinct words meet,
/// and the pass. Degree 1: no conflict; degree d: the pass takes d times as long.
struct bank_conflict {
  int degree = 1;
  int pass = 0;
  int bank = 0;

  friend constexpr bool operator==(const bank_conflict&, const bank_conflict&) = default;
};

/// The worst pass of one access by lanes 0 .. lanes-1, each of `width` bytes at address_of(lane). Refuses widths other
/// than 1, 2, 4, 8 and 16 bytes, fewer than 1 or more than 32 lanes, and addresses below 0 or not a multiple of the
/// width, which the hardware would trap.
template <class AddressOf>
constexpr bank_conflict worst_conflict(AddressOf address_of, int width, int lanes = warp_lanes) {
  if (width < 1 || width > 16 || (width & (width - 1)) != 0) {
    throw layout_error("an access is 1, 2, 4, 8 or 16 bytes wide, not ", width);
  }
  if (lanes < 1 || lanes > warp_lanes) throw layout_error("an access is by 1 to ", warp_lanes, " lanes, not ", lanes);
  // Accesses narrower than a word are counted by their words. Aligned units of equal width either coincide or share no
  // word, and they meet in a bank only if they start in the same one: counting starts is counting words.
  const int unit_bytes = width < bank_bytes ? bank_bytes : width;
  const int units_of_pass = shared_banks * bank_bytes / unit_bytes;
  bank_conflict worst{};
  for (int first = 0; first < lanes; first += units_of_pass) {
    const int count = lanes - first < units_of_pass ? lanes - first : units_of_pass;
    std::int64_t seen[warp_lanes] = {};
    int in_bank[shared_banks] = {};
    for (int i = 0; i < count; ++i) {
      const std::int64_t address = address_of(first + i);
      if (address < 0) throw layout_error("lane ", first + i, " begins at byte ", address, ", below shared memory");
      if (address % width != 0) {
        throw layout_error("lane ", first + i, " begins at byte ", address,
                           ", which is not a multiple of the access's ", width);
      }
      const std::int64_t unit = address / unit_bytes;
      bool repeated = false;
      for (int j = 0; j < i && !repeated; ++j) repeated = seen[j] == unit;
      seen[i] = unit;
      if (repeated) continue;
      const int start = static_cast<int>(unit % units_of_pass);
      if (++in_bank[start] > worst.degree) {
        worst = {in_bank[start], first / units_of_pass, start * (unit_bytes / bank_bytes)};
      }
    }
  }
  return worst;
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
