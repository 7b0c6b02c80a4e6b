// Vectors that come with tiles: how TMA brings a part of one.
//
// A tensor map wants an address and strides that are multiples of 16 bytes, and the rows of a matrix of scales, say, are
// as long as they are. So TMA is shown the vector's memory as one line of elements, which has no strides, from the last
// multiple of 16 bytes in front of it on. A box begins at such a multiple as well: with any other coordinate along the
// contiguous mode an H200 stops at an illegal instruction. So what is brought begins up to a piece of 16 bytes before the
// part, and whoever reads it goes by the part's address. What follows a row on the line is the next row, not zeros:
// threads that read a part look where its row ends, as they do in memory.
//
// What is in blocks along a mode before the last, "SB(N/128,KB)", has elements far from each other: a box for each.
#pragma once
#include <sectile/dsl/program/operand.hpp>
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
/// Where on the line box number `box` begins that brings tile `tile` of a vector: `lead` elements lie in front of it,
/// modes before the last have these strides.
template <class Strides>
constexpr int place_on_line(const operand_facts& f, const int* tile, int box, int lead, const Strides& stride) {
  const int last = f.tile.rank - 1, piece = piece_of_vector(f);
  long long at = lead;
  for (int d = 0; d <= last; ++d) at += f.first_held(d, tile[d]) * (d < last ? stride[d] : 1);
  if (f.is_strided()) at += box * stride[f.line()];
  return static_cast<int>(at / piece * piece) + (f.is_strided() ? 0 : box * vector_box(f));
}

}  // namespace sectile
