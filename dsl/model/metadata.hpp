// The metadata of sparse A: which columns the stored elements stand in (PTX ISA, "Sparse matrix storage" and
// "wgmma.mma_async.sp").
//
// Of every four columns A stores two elements (of every two one, if they are tf32). A nibble says which: the low two
// bits are the place of the first, the high two that of the second. For tf32 the places are those of its 16-bit halves,
// so that only 0100 (the first element) and 1110 (the second) make sense.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <sectile/dsl/plan/instruction.hpp>

namespace sectile::model {

/// Nibbles of one row of A.
constexpr int metadata_groups(const wgmma_instruction& i) { return i.a.bits == 32 ? i.k / 2 : i.k / 4; }

/// The nibble of group `group` of row `row`. metadata: the words of the 128 threads.
unsigned metadata_nibble(const wgmma_instruction& i, const std::uint32_t* metadata, int row, int group);

/// Writes the column of each stored element of A, row by row: 64 rows of stored_k(i). Nibbles are taken at their word,
/// right or not.
void find_columns(const wgmma_instruction& i, const std::uint32_t* metadata, std::uint8_t* columns);

struct bad_nibble {
  int row, group;
  unsigned nibble;
};

/// The first nibble whose places are the same or out of order. 0000 passes where the stored elements are zero: that is
/// what TMA leaves beyond the edge of a tensor. a: 64 rows of 32 bytes.
std::optional<bad_nibble> find_bad_nibble(const wgmma_instruction& i, const std::uint32_t* metadata,
                                          const std::byte* a);

}  // namespace sectile::model
