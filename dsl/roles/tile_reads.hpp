// How ordinary loads bring a tile from shared memory into a consumer's registers: as a left factor by ldmatrix, in the
// order of sums word by word. A thread's addresses are those of the first block, and what a load can add to them: each
// by itself, they would fill registers.
#pragma once
#include <sectile/dsl/plan/product_table.hpp>
#include <sectile/layouts/fragment.hpp>

namespace sectile {

template <class Fragment>
inline constexpr bool holds_sums = lies_as_sums(element_of<typename Fragment::element_type>());
/// Registers that one load fills.
template <operand_tile Stored, class Fragment>
inline constexpr int registers_of_read = holds_sums<Fragment> ? words_of_sums(Stored) : 4;

/// Four core matrices, one for each register from number `n` of all blocks on, whichever block it belongs to.
template <operand_tile Stored, class Role, class Fragment>
constexpr void read_matrices(Role& sm, Fragment& x, std::uint32_t from, int n) {
  constexpr int chunk = 128 / Stored.element_bits, of_block = Fragment::atom_registers;
  static_assert(has_whole_blocks(Stored));
  constexpr std::uint32_t block_bytes = bytes_of_block(Stored);
  const int lane = sm.thread % 32, row = sm.thread / 32 * 16;
  from += static_cast<std::uint32_t>(sm.share() * Fragment::atoms) * block_bytes;
  std::uint32_t q[4]{};
  const read_pair pair = pair_of_read(of_block, n, lane);
  const int block = pair_of_read(of_block, n, 0).block;  // a constant; some lanes' is the next one
  const std::uint32_t behind = static_cast<std::uint32_t>(block) * block_bytes,
                      mine = from + static_cast<std::uint32_t>(pair.block - block) * block_bytes;
  if constexpr (Stored.major == major::k) {
    const coord at = ldmatrix_row_address(lane);
    sm.hw.ldmatrix_x4(q, mine + written_at(Stored, row + at.row, pair.group * chunk) + behind);
  } else {  // rows of the core matrices run along K in memory: each is transposed on the way
    const coord at = ldmatrix_column_address(lane);
    sm.hw.ldmatrix_x4_trans(q, mine + written_at(Stored, row + at.row, 8 * pair.group + at.col % 8) + behind);
  }
  if constexpr (Role::computes)
    for (int i = 0; i < 4; ++i) x.atom[(n + i) / of_block][(n + i) % of_block] = q[i];
}
/// As many words as are neighbours, from register number `n` of all blocks on.
template <operand_tile Stored, class Role, class Fragment>
constexpr void read_words(Role& sm, Fragment& x, std::uint32_t from, int n) {
  constexpr int words = words_of_sums(Stored), of_block = Fragment::atom_registers;
  static_assert(has_whole_blocks(Stored));
  constexpr std::uint32_t block_bytes = bytes_of_block(Stored);
  from += static_cast<std::uint32_t>(sm.share() * Fragment::atoms) * block_bytes;
  const coord at = d_coord(sm.thread, n % of_block);
  std::uint32_t q[words]{};
  const std::uint32_t in_block = from + written_at(Stored, at.row, at.col);
  sm.hw.load_shared(q, in_block + static_cast<std::uint32_t>(n / of_block) * block_bytes);
  if constexpr (Role::computes)
    for (int j = 0; j < words; ++j)
      x.atom[n / of_block][n % of_block + j] = __builtin_bit_cast(typename Fragment::element_type, q[j]);
}
/// The registers of one load, from number `n` of all blocks on, of this warpgroup's rows of the tile that begins at
/// `from`.
template <operand_tile Stored, class Role, class Fragment>
constexpr void read_registers(Role& sm, Fragment& x, std::uint32_t from, int n) {
  if constexpr (holds_sums<Fragment>)
    read_words<Stored>(sm, x, from, n);
  else
    read_matrices<Stored>(sm, x, from, n);
}

}  // namespace sectile
