// Vectors that come with tiles: how TMA brings a part of one.
//
// A tensor map wants an address and strides that are multiples of 16 bytes, and the rows of a matrix of scales, say,
// are as long as they are. So TMA is shown the vector's memory as one line of elements, which has no strides, from the
// last multiple of 16 bytes in front of it on. A box begins at such a multiple as well: with any other coordinate along
// the contiguous mode an H200 stops at an illegal instruction. So what is brought begins up to a piece of 16 bytes
// before the part, and whoever reads it goes by the part's address. What follows a row on the line is the next row, not
// zeros: threads that read a part look where its row ends, as they do in memory.
//
// What is in blocks along a mode before the last, "SB(N/128,KB)", has elements far from each other: a box for each.
#pragma once
#include <sectile/dsl/program/operand.hpp>
#include <sectile/dsl/program/unroll.hpp>
#include <sectile/layouts/tma_box.hpp>

namespace sectile {

/// Elements of 16 bytes.
constexpr int piece_of_vector(const operand_facts& f) { return 128 / f.type.bits; }
/// Elements of a part that are neighbours in memory.
constexpr int on_a_line(const operand_facts& f) { return f.tile.rank == 0 || f.is_strided() ? 1 : f.held(f.line()); }
/// Elements of one box: a part of the vector wherever it begins, in whole pieces, or as many as a box has.
constexpr int vector_box(const operand_facts& f) {
  const int piece = piece_of_vector(f), whole = (on_a_line(f) - 1 + piece - 1) / piece * piece + piece;
  return whole < tma_max_box_extent ? whole : tma_max_box_extent;
}
/// Boxes that bring a part. They follow each other in shared memory.
constexpr int boxes_of_vector(const operand_facts& f) {
  if (f.is_strided()) return f.held(f.line());
  return (on_a_line(f) + piece_of_vector(f) - 1 + vector_box(f) - 1) / vector_box(f);
}
/// Byte offset of box `n` from the first.
constexpr int vector_box_offset(const operand_facts& f, int n) {
  return n * (f.is_strided() ? strided_step : vector_box(f) * f.type.bits / 8);
}

/// One of them, as TMA copies it.
constexpr tma_box box_of_vector(const operand_facts& f) {
  tma_box b{.rank = 1, .element_bits = f.type.bits};
  b.extent[0] = vector_box(f);
  return b;
}

/// Places on the line are 32-bit, and TMA reads one box behind the last.
inline constexpr std::int64_t most_on_a_line = (std::int64_t{1} << 31) - 1024;
/// What of a vector's facts says where its boxes are: by value, since device code cannot follow a constant's address.
struct line_shape {
  int last = 0, line = 0, piece = 1, box = 0;
  int extent[max_rank]{}, block[max_rank]{};
  constexpr explicit line_shape(const operand_facts& f)
      : last(f.tile.rank - 1), line(f.line()), piece(piece_of_vector(f)), box(vector_box(f)) {
    for (int d = 0; d <= last; ++d) extent[d] = f.tile.extent[d], block[d] = f.block[d];
  }
};
/// Where on the line box number `number` begins that brings tile `tile` of a vector: `lead` elements lie in front of
/// it, modes before the last have these strides.
template <class Strides>
constexpr int place_on_line(line_shape f, const int* tile, int number, int lead, const Strides& stride) {
  long long at = lead;
  SECTILE_UNROLL for (int d = 0; d <= f.last; ++d) {
    const int first = first_of_blocks(tile[d], f.extent[d], f.block[d]);
    at += first * (d < f.last ? stride[d] : 1);
    if (d == f.line && d < f.last) at += number * stride[d];
  }
  return static_cast<int>(at / f.piece * f.piece) + (f.line == f.last ? number * f.box : 0);
}

}  // namespace sectile
