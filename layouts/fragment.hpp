#pragma once
// Which thread of a warpgroup holds which element of a wgmma operand or result, in which register: closed formulas,
// their inverses, and what follows from them (accumulators feed the next product, stmatrix stores them). The same maps
// as layout values are in fragment_layout.hpp.
//
// Threads are 0..127 (warp = thread / 32, lane = thread % 32); registers are 32-bit and counted as in the operand list
// of the instruction; elements inside a register count from the low-order bits. Each warp owns 16 of the 64 rows.
//
// What is proven has an argument: compilers evaluate a call without, or of constants alone, in every file that includes
// the function that it stands in, whether anybody asks or not.
//
// Source: PTX ISA, "Register Fragments for wgmma.mma_async" and "stmatrix".

#include <sectile/layouts/free_letters.hpp>

namespace sectile {

/// Row and column of an element in a tile.
struct coord {
  int row = 0;
  int col = 0;

  friend constexpr bool operator==(const coord&, const coord&) = default;
};

/// Element `part` (0 = low-order bits) of 32-bit register `reg` of `thread`.
struct register_slot {
  int thread = 0;
  int reg = 0;
  int part = 0;

  friend constexpr bool operator==(const register_slot&, const register_slot&) = default;
};

constexpr int warpgroup_threads = 128;
constexpr int wgmma_rows = 64;

/// First row of the two (8 apart) that a thread holds.
constexpr int first_row(int thread) { return thread / 32 * 16 + thread % 32 / 4; }

/// Registers of an m64nN accumulator per thread: N/2 of f32 or s32, N/4 of f16.
constexpr int accumulator_registers(int n, int element_bits) { return n * element_bits / 64; }

/// Element of an f32 or s32 accumulator of 64 x N in register reg, 0 <= reg < N/2.
constexpr coord d_coord(int thread, int reg) {
  return {first_row(thread) + 8 * (reg / 2 % 2), 8 * (reg / 4) + 2 * (thread % 4) + reg % 2};
}

/// Whether registers 2i and 2i + 1 of an f32 or s32 accumulator of 64 x n are neighbours in a row, the first in an even
/// column: eight bytes of memory whose rows lie as the matrix's.
constexpr bool d_lies_in_pairs(int n) {
  if (n < 8 || n % 8 != 0) return false;
  for (int thread = 0; thread < warpgroup_threads; ++thread)
    for (int reg = 0; reg < 4; reg += 2) {  // later ones are the same, eight columns on: d_is_bijection
      const coord first = d_coord(thread, reg);
      if (first.col % 2 != 0 || d_coord(thread, reg + 1) != coord{first.row, first.col + 1}) return false;
    }
  return true;
}

/// Element of an f16 accumulator of 64 x N, two to a register, 0 <= reg < N/4, part 0 or 1.
constexpr coord d16_coord(int thread, int reg, int part) {
  return {first_row(thread) + 8 * (reg % 2), 8 * (reg / 2) + 2 * (thread % 4) + part};
}

/// Elements of operand A in one register.
constexpr int a_parts(int element_bits) { return 32 / element_bits; }

/// Columns (K) of operand A in one dense instruction: 32 bytes.
constexpr int a_columns(int element_bits) { return 256 / element_bits; }

/// Element of operand A of 64 x (256 / element_bits), 0 <= reg < 4, 0 <= part < 32 / element_bits. Sparse A has the
/// same map in its stored (compressed) columns.
constexpr coord a_coord(int element_bits, int thread, int reg, int part) {
  const int parts = a_parts(element_bits);
  return {first_row(thread) + 8 * (reg % 2), parts * (thread % 4) + part + 4 * parts * (reg / 2)};
}

/// Thread that holds row `row` at column group `quad` (0..3) of the four lanes that share a row.
constexpr int thread_of(int row, int quad) { return row / 16 * 32 + row % 8 * 4 + quad; }

/// Where element (row, col) of an f32 or s32 accumulator is; part is 0.
constexpr register_slot d_slot(int row, int col) {
  return {thread_of(row, col % 8 / 2), 4 * (col / 8) + 2 * (row % 16 / 8) + col % 2, 0};
}

/// Where element (row, col) of an f16 accumulator is.
constexpr register_slot d16_slot(int row, int col) {
  return {thread_of(row, col % 8 / 2), 2 * (col / 8) + row % 16 / 8, col % 2};
}

/// Where element (row, col) of operand A is.
constexpr register_slot a_slot(int element_bits, int row, int col) {
  const int parts = a_parts(element_bits);
  return {thread_of(row, col / parts % 4), 2 * (col / (4 * parts)) + row % 16 / 8, col % parts};
}

namespace detail {

/// Whether every slot's position lies in 64 x columns and leads back to the slot. Slots and positions being equally
/// many, the map is then a bijection. The first warp is looked at slot by slot; every later one holds the same, 16 rows
/// on. No term of a position joins the warp with anything else, so one slot shows that for all.
template <class PositionOf, class SlotOf>
constexpr bool is_bijection(int registers, int parts, int columns, PositionOf position_of, SlotOf slot_of) {
  if (registers * parts * warpgroup_threads != wgmma_rows * columns) return false;
  for (int thread = 0; thread < 32; ++thread) {
    for (int reg = 0; reg < registers; ++reg) {
      for (int part = 0; part < parts; ++part) {
        const coord at = position_of(thread, reg, part);
        if (at.row < 0 || at.row >= 16 || at.col < 0 || at.col >= columns) return false;
        if (slot_of(at) != register_slot{thread, reg, part}) return false;
      }
    }
  }
  for (int thread = 32; thread < warpgroup_threads; thread += 32) {
    const coord at = position_of(thread, 0, 0), before = position_of(thread - 32, 0, 0);
    if (at != coord{before.row + 16, before.col} || slot_of(at) != register_slot{thread, 0, 0}) return false;
  }
  return true;
}

}  // namespace detail

/// Proof that an f32 or s32 accumulator of 64 x n holds every element exactly once: the first eight columns element by
/// element; every later eight are the same, four registers and eight columns on. No term of d_coord joins the thread
/// with the group of registers, so one thread shows that for all.
constexpr bool d_is_bijection(int n) {
  if (n < 8 || n % 8 != 0) return false;
  for (int reg = 4; reg < n / 2; ++reg) {
    const coord before = d_coord(0, reg - 4);
    if (d_coord(0, reg) != coord{before.row, before.col + 8}) return false;
  }
  return detail::is_bijection(
      4, 1, 8, [](int thread, int reg, int) { return d_coord(thread, reg); },
      [](coord at) { return d_slot(at.row, at.col); });
}

/// The same for an f16 accumulator, where eight columns take two registers.
constexpr bool d16_is_bijection(int n) {
  if (n < 8 || n % 8 != 0) return false;
  for (int reg = 2; reg < n / 4; ++reg) {
    const coord before = d16_coord(0, reg - 2, 0);
    if (d16_coord(0, reg, 0) != coord{before.row, before.col + 8}) return false;
  }
  return detail::is_bijection(
      2, 2, 8, [](int thread, int reg, int part) { return d16_coord(thread, reg, part); },
      [](coord at) { return d16_slot(at.row, at.col); });
}

/// Proof that the four registers of operand A hold every element exactly once. element_bits: 1, 8, 16 or 32.
constexpr bool a_is_bijection(int element_bits) {
  return detail::is_bijection(
      4, a_parts(element_bits), a_columns(element_bits),
      [element_bits](int thread, int reg, int part) { return a_coord(element_bits, thread, reg, part); },
      [element_bits](coord at) { return a_slot(element_bits, at.row, at.col); });
}

/// Proof that an accumulator that is converted pairwise is the operand of the next product (attention's P =
/// softmax(S)), within each thread: registers 8 step .. + 7 of K step `step`, which takes columns 16 step .. + 15. n:
/// columns of the accumulator. False if n is not a multiple of the operand's columns, and false for any other operand
/// width than 16, whose fragment spreads over the lanes differently. Later steps are the first one, eight registers and
/// 16 columns on, and later warps the first one, 16 rows on, as the proofs above show of both.
constexpr bool accumulator_feeds_operand(int n, int element_bits = 16) {
  const int columns = a_columns(element_bits);
  const int parts = a_parts(element_bits);
  if (n < columns || n % columns != 0) return false;
  for (int thread = 0; thread < 32; ++thread) {
    for (int reg = 0; reg < 4; ++reg) {
      for (int part = 0; part < parts; ++part) {
        if (d_coord(thread, parts * reg + part) != a_coord(element_bits, thread, reg, part)) return false;
      }
    }
  }
  return true;
}

/// stmatrix.x4 of four packed 16-bit accumulator registers (a 16 x 16 block of a warp's rows): the block's row and
/// column whose address `lane` supplies; 16 bytes are written from there. Registers P[4g .. 4g+3] store columns 16g ..
/// 16g + 15.
constexpr coord stmatrix_row_address(int lane) { return {lane % 16, 8 * (lane / 16)}; }

/// The same for stmatrix.x2 of P[4g], P[4g+1] (16 rows x 8 columns); lanes 16..31 repeat the addresses of 0..15.
constexpr coord stmatrix_x2_row_address(int lane) { return {lane % 16, 0}; }

/// stmatrix.x4.trans of the same registers into a column-major tile: the row and column of the block where the 16 bytes
/// (8 rows of one column) that `lane` addresses begin. Of .x2.trans lanes 0..15 are the same.
constexpr coord stmatrix_column_address(int lane) { return {8 * (lane / 8 % 2), 8 * (lane / 16) + lane % 8}; }

namespace detail {

/// Where stmatrix puts part `part` of register q of lane `lane`, given each lane's address. Matrix q is 8 rows of 16
/// bytes in memory; row r starts at the address of lane 8q + r. Lane l gives the elements of row l / 4, columns
/// 2 (l % 4) and the next of each matrix; with .trans those of rows 2 (l % 4) and the next, column l / 4. A row of
/// memory runs along the rows of the block if `transposed`, else along its columns.
template <class AddressOf>
constexpr coord stored_at(AddressOf address_of, bool transposed, int q, int lane, int part) {
  const int pair = lane % 4 * 2 + part;
  const coord start = address_of(8 * q + (transposed ? pair : lane / 4));
  return transposed ? coord{start.row + lane / 4, start.col} : coord{start.row, start.col + pair};
}

}  // namespace detail

/// ldmatrix.x4 of one K step of operand A, K contiguous in memory: the row, and the 16-byte chunk of the step, of the
/// 16 bytes that `lane` addresses.
constexpr coord ldmatrix_row_address(int lane) { return {lane % 16, lane / 16}; }

/// The same with .trans for 16-bit operands whose rows run along M in memory: the row (of the first of 8) and the
/// column of the step where the 16 bytes that `lane` addresses begin.
constexpr coord ldmatrix_column_address(int lane) { return {lane / 8 % 2 * 8, lane / 16 * 8 + lane % 8}; }

/// Two of the four matrices that one ldmatrix brings, the upper and the lower 8 of a warp's rows: of which m64 block,
/// and which 16 bytes of a lane's row of matrices (with .trans: which 8 columns).
struct read_pair {
  int block = 0;
  int group = 0;

  friend constexpr bool operator==(const read_pair&, const read_pair&) = default;
};
/// Those that `lane` addresses by the ldmatrix that fills registers `first` .. `first` + 3, counted through blocks that
/// have `of_block` of them. Where a block has no whole number of fours the second pair is of the next one.
constexpr read_pair pair_of_read(int of_block, int first, int lane) {
  if (of_block % 4 == 0) return {first / of_block, first % of_block / 2 + lane / 16};
  const int pair = first / 2 + lane / 16;
  return {pair / (of_block / 2), pair % (of_block / 2)};
}

/// Proof that registers `first` .. `first` + 3 of every such ldmatrix, two of each pair, are the upper and the lower
/// rows of the block and the group that the pair is of: in a block registers 2 g and 2 g + 1 are those of group g.
constexpr bool reads_follow_registers(int of_block, int blocks) {
  if (of_block % 2 != 0 || of_block * blocks % 4 != 0) return false;
  for (int reg = 0; reg < of_block * blocks; reg += 2) {
    const read_pair found = pair_of_read(of_block, reg / 4 * 4, reg % 4 * 8);
    if (found != read_pair{reg / of_block, reg % of_block / 2}) return false;
  }
  return true;
}

/// Proof that ldmatrix with these addresses fills operand A: register q of a lane is 4 bytes of matrix q, whose row l /
/// 4 (of .trans: column) the lane l gets at bytes 4 (l % 4) and up.
constexpr bool ldmatrix_loads_operand(int element_bits, bool transposed) {
  const int parts = a_parts(element_bits);
  for (int thread = 0; thread < warpgroup_threads; ++thread)
    for (int q = 0; q < 4; ++q)
      for (int part = 0; part < parts; ++part) {
        const int lane = thread % 32, inside = lane % 4 * parts + part;
        const coord row = ldmatrix_row_address(8 * q + lane / 4);
        const coord column = ldmatrix_column_address(8 * q + inside);
        const coord loaded =
            transposed ? coord{column.row + lane / 4, column.col} : coord{row.row, 4 * parts * row.col + inside};
        const coord wanted = a_coord(element_bits, thread, q, part);
        if (loaded != coord{wanted.row % 16, wanted.col}) return false;
      }
  return true;
}

}  // namespace sectile
