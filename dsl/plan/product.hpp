// From the types of `acc += a * b` to the instructions that carry it out.
#pragma once
#include <sectile/dsl/plan/instruction.hpp>
#include <sectile/dsl/plan/vector_boxes.hpp>
#include <sectile/dsl/program/tile.hpp>
#include <sectile/dsl/program/widened.hpp>
#include <sectile/layouts/operand_tile.hpp>

namespace sectile {

/// How an operand's tile lies in shared memory: the widest swizzle its contiguous rows allow, or the one asked for.
constexpr swizzle_mode swizzle_of(const operand_facts& f) {
  if (!f.swizzle.automatic) return f.swizzle.mode;
  return largest_swizzle(major::k, f.contiguous() * f.type.bits / 8);
}

/// Bytes of one stage's copy of the operand's tile, without metadata.
constexpr int stage_bytes_of(const operand_facts& f) {
  return f.path == with_tiles ? vector_box_offset(f, boxes_of_vector(f) - 1) + bytes(box_of_vector(f))
                              : f.rows() * f.stored_cols() * f.type.bits / 8;
}

/// The operand as wgmma's A (K is its columns, unless transposed) or B (K is its rows, unless transposed), as it is
/// stored.
constexpr operand_tile as_operand(const operand_facts& f, bool is_a, bool transposed) {
  const bool k_is_cols = is_a != transposed;
  const bool contiguous_is_cols = f.order == row_major;
  return {.mn = k_is_cols ? f.rows() : f.stored_cols(),
          .k = k_is_cols ? f.stored_cols() : f.rows(),
          .element_bits = f.type.bits,
          .major = k_is_cols == contiguous_is_cols ? major::k : major::mn,
          .swizzle = swizzle_of(f)};
}

/// How a fragment of k x n elements of 16 bits, of blocks of 64 rows, lies in shared memory as wgmma's B: each row of
/// memory has the 64 rows of a block, which the swizzle's span holds.
constexpr operand_tile placed_tile(int n, int k) {
  return {.mn = n, .k = k, .element_bits = 16, .major = major::k, .swizzle = swizzle_mode::b128};
}

/// One written product: its instruction, how many of them, and where the operands come from.
struct product_plan {
  wgmma_instruction instruction{};
  int m_blocks = 0;        // m64 blocks per consumer warpgroup
  int k_steps = 0;         // instructions along K
  int part = 0, parts = 1;  // those blocks are this part of a consumer's share
  std::int16_t a_operand = -1;  // see reads_a()
  std::int16_t b_operand = -1;
  operand_tile a{};  // of sparse A: the stored half
  operand_tile b{};
  bool a_groups_along_k = true;  // of sparse A
  bool placed = false;           // B is a fragment that consumers write to shared memory, see placed_plan
  element narrow{};  // of which the product makes its left factor, see widening.hpp; of no bits: it makes none
  /// Whether wgmma reads A from shared memory, operand a_operand's tile; else A is in registers.
  constexpr bool reads_a() const { return a_operand >= 0; }
  /// Blocks of 64 rows that are a sharer's, those of all parts.
  constexpr int blocks() const { return m_blocks * parts; }
  /// The first row of the left factor that sharer `share` multiplies.
  constexpr int first_row(int share) const { return (share * parts + part) * m_blocks * 64; }
  friend constexpr bool operator==(const product_plan&, const product_plan&) = default;
};

/// The fragment that in_registers(tile) is.
template <bool Transposed, class Tile>
using tile_fragment = fragment<std::remove_pointer_t<decltype(Tile::reading)>,
                               typename operand_at<typename std::remove_pointer_t<decltype(Tile::reading)>::kernel,
                                                   Tile::operand>::element_type,
                               std::conditional_t<Transposed, typename Tile::col_extent, typename Tile::row_extent>,
                               std::conditional_t<Transposed, typename Tile::row_extent, typename Tile::col_extent>>;

/// The plan of `acc += a * b`, read off the types. Whether the instruction exists is checked by the legality proof.
template <product_form Form, class Accumulator, class A, class B>
constexpr product_plan plan_product() {
  using kernel = typename Accumulator::reading_type::kernel;
  product_plan p{};
  if constexpr (is_tile<B>::value) {
    constexpr operand_facts b = operand_facts_of<kernel, B::operand>();
    p.b_operand = B::operand;
    p.b = as_operand(b, false, B::is_transposed);
    p.instruction.b = b.type;
  } else {
    p.placed = true;
    p.b = placed_tile(B::cols, B::rows);
    p.instruction.b = element_of<typename B::element_type>();
  }
  p.instruction.b_major = p.b.major;
  p.instruction.n = p.b.mn;
  p.instruction.d = element_of<typename Accumulator::element_type>();
  p.instruction.negate_a = Form.negate_a;
  p.instruction.negate_b = Form.negate_b;
  p.instruction.saturate = Form.saturate;
  if constexpr (is_tile<A>::value) {
    constexpr operand_facts a = operand_facts_of<kernel, A::operand>();
    p.a_operand = A::operand;
    p.a = as_operand(a, true, A::is_transposed);
    p.instruction.a = a.type;
    p.instruction.a_major = p.a.major;
    p.instruction.sparse = a.sparse;
    p.a_groups_along_k = !A::is_transposed;
  } else {
    p.instruction.a = element_of<typename A::element_type>();
    p.instruction.a_in_registers = true;
    p.instruction.a_major = major::k;
    if constexpr (is_widened<A>) p.narrow = element_of<typename A::narrow_type>();
  }
  p.instruction.k = (p.instruction.sparse ? 512 : 256) / p.instruction.a.bits;
  p.m_blocks = Accumulator::rows / 64 / Accumulator::reading_type::sharers;
  p.k_steps = p.b.k / p.instruction.k;
  p.part = Form.part;
  p.parts = Form.parts;
  return p;
}

}  // namespace sectile
