#pragma once
// Bank conflicts of a warp's shared-memory access. Memory has 32 banks of 4 bytes, side by side; in one pass a bank
// serves one 4-byte word (to any number of lanes, and to any of its bytes). A pass moves at most 128 bytes, so 8-byte
// accesses go half a warp at a time, 16-byte accesses a quarter at a time, and stmatrix or ldmatrix one matrix (8 rows
// of 16 bytes) at a time.
//
// What asks is a kernel's plan, whose accesses are what they should be. Others are refused in banks.hpp.
//
// Source: CUDA C++ Programming Guide, "Shared Memory"; the split of wide accesses is how NVIDIA's profilers count them.

#include <sectile/layouts/free_letters.hpp>

#include <cstdint>

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

/// The worst pass of one access by lanes 0 .. lanes-1, each of `width` bytes at address_of(lane): 1, 2, 4, 8 or 16
/// bytes, at a multiple of as many.
template <class AddressOf>
constexpr bank_conflict worst_pass(AddressOf address_of, int width, int lanes = warp_lanes) {
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
      const std::int64_t unit = address_of(first + i) / unit_bytes;
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

}  // namespace sectile
