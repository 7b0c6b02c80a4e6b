// What the rungs of the ladder share: the problem, the tile of C that a CTA computes, the instruction, the way the
// result leaves, and the proof that wgmma reads what the threads wrote. What a rung is about stands in the rung, whole,
// even where it repeats the one below: each is read by itself, on a page of its own.
#pragma once
#include <sectile/dsl/plan/instruction.hpp>
#include <sectile/dsl/program/global_matrix.hpp>
#include <sectile/dsl/program/unroll.hpp>
#include <sectile/layouts/descriptor.hpp>
#include <sectile/layouts/fragment.hpp>

namespace sectile::kernels::ladder {

/// C = A * B^T: A is M x K, B is N x K, C is M x N. The tensor maps are for those who copy by TMA.
template <class Machine>
struct problem {
  global_matrix<const bf16> A, B;
  global_matrix<bf16> C;
  typename Machine::tensor_map A_map{}, B_map{};
};

/// The first element of the tile of C that CTA number `cta` computes: one tile below the other, then the next column of
/// tiles. Neighbours share columns of B.
constexpr coord tile_origin(int cta, const global_matrix<bf16>& C, int rows, int cols) {
  const int tiles = (C.rows + rows - 1) / rows;
  return {cta % tiles * rows, cta / tiles * cols};
}

/// The two numbers that a word holds. A bf16 is the upper half of a float.
constexpr float low_bf16(std::uint32_t pair) { return __builtin_bit_cast(float, pair << 16); }
constexpr float high_bf16(std::uint32_t pair) { return __builtin_bit_cast(float, pair & 0xFFFF'0000u); }

/// wgmma.m64nNk16 of bf16 with f32 sums, both operands in shared memory.
constexpr wgmma_instruction multiply_bf16(int n, major b_major = major::k) {
  constexpr element bf16_element = element_of<bf16>();
  return {.n = n,
          .k = a_columns(16),
          .a = bf16_element,
          .b = bf16_element,
          .d = element_of<float>(),
          .a_in_registers = false,
          .a_major = major::k,
          .b_major = b_major};
}

/// Every thread stores the elements that it holds, as far as they are in C. d_coord() is the fragment's layout:
/// which element of the tile register i of a thread is. (The loop is unrolled because registers have names, not
/// addresses.)
template <int Cols, class Machine, class Registers>
constexpr void store_fragment(Machine& hw, const Registers& sum, const global_matrix<bf16>& C, coord origin) {
  unroll<accumulator_registers(Cols, 32)>([&](auto i) {
    const coord at = d_coord(hw.thread(), i);
    const int row = origin.row + at.row, col = origin.col + at.col;
    if (row < C.rows && col < C.cols) hw.store_element(C, row, col, sum[i]);
  });
}

/// Whether wgmma finds every element where the threads put it. A tile has `rows` rows of `pieces` pieces of 16 bytes,
/// the rows along MN and the pieces along K or, of an operand that is `along` mn, the other way round. place(row, n) is
/// the byte where piece n of a row begins, descriptor(k) that of the instruction whose first column is k. The
/// descriptor passes through its 64 bits on the way.
template <class Place, class Descriptor>
constexpr bool wgmma_reads(major along, int rows, int pieces, Place place, Descriptor descriptor) {
  constexpr int step = a_columns(16);
  for (int row = 0; row < rows; ++row)
    for (int n = 0; n < pieces; ++n) {
      const int mn = along == major::k ? row : n * piece_elements<bf16>;
      const int k = along == major::k ? n * piece_elements<bf16> : row;
      const matrix_descriptor d = decode(encode(descriptor(k / step * step)));
      if (read_offset(d, along, mn, k % step, 16) != place(row, n)) return false;
    }
  return true;
}

}  // namespace sectile::kernels::ladder
