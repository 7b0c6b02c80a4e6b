#pragma once
// The functions of the expression language that are the hardware's: swizzle modes, operand tiles, descriptors,
// fragments, banks. Each calls the function of layouts/ of its name.

#include <span>

#include <sectile/layouts/banks.hpp>
#include <sectile/layouts/descriptor_layout.hpp>
#include <sectile/layouts/expression_algebra.hpp>
#include <sectile/layouts/fragment_layout.hpp>
#include <sectile/layouts/operand_tile_layout.hpp>
#include <sectile/layouts/rule_text.hpp>
#include <sectile/layouts/sparse_layout.hpp>
#include <sectile/layouts/staging.hpp>

namespace sectile::expressions {

/// More elements along a side than any tile in shared memory has.
inline constexpr int most_extent = 1 << 21;

/// A direction as argument i.
inline major direction_at(const arguments& a, int i) { return a.as<major>(i, "a direction, k or mn"); }
/// A swizzle mode as argument i.
inline swizzle_mode mode_at(const arguments& a, int i) {
  return a.as<swizzle_mode>(i, "a swizzle mode: none, b32, b64 or b128");
}

/// Argument i as an element type if it is one. Refuses those that wgmma sums in but does not multiply.
inline std::optional<element> operand_type(const arguments& a, int i) {
  const auto* type = std::get_if<element>(&a[i]);
  if (type == nullptr) return {};
  if (*type == element_of<f32>())
    throw layout_error("wgmma has no f32 operands; it multiplies tf32, which take as many bits");
  if (*type == element_of<s32>())
    throw layout_error("wgmma has no s32 operands; it multiplies integers of 8 bits, s8 and u8");
  return *type;
}

/// The bits of an element that wgmma multiplies.
inline int operand_bits(const arguments& a, int i) {
  operand_type(a, i);
  const int bits = a.bits(i);
  if (bits != 1 && bits != 8 && bits != 16 && bits != 32)
    throw layout_error("wgmma has no operand of ", bits, "-bit elements: there are 1, 8, 16 and 32");
  return bits;
}

/// tile(TYPE, MN, K, MAJOR, SWIZZLE). Refuses what the rules of tiles refuse.
inline value tile_of(const arguments& a) {
  const operand_tile t{.mn = a.integer(1, 1, most_extent),
                       .k = a.integer(2, 1, most_extent),
                       .element_bits = a.bits(0),
                       .major = direction_at(a, 3),
                       .swizzle = mode_at(a, 4)};
  const std::optional<element> type = operand_type(a, 0);
  tile_layout(t);  // refuses what is no tile
  return typed_tile{t, type};
}

/// Element (mn, k) of a tile, arguments i and i + 1.
inline coord element_at(const arguments& a, int i) {
  const operand_tile& t = a.tile(0);
  return {a.integer(i, 0, t.mn - 1), a.integer(i + 1, 0, t.k - 1)};
}

/// The instruction's extents, arguments i and i + 1. Refuses one that cannot walk over the tile.
inline coord instruction_at(const arguments& a, int i) {
  const operand_tile& t = a.tile(0);
  const coord extent{a.integer(i, 1, t.mn), a.integer(i + 1, 1, t.k)};
  if (const tile_violation broken = check(t, extent.row, extent.col); !broken.ok()) {
    throw layout_error("instructions of ", extent.row, " x ", extent.col, " on the tile ", tile_layout(t), ": ",
                       broken);
  }
  return extent;
}

/// descriptor_at(TILE, MN, K): starts count from the tile's base.
inline value descriptor_at_of(const arguments& a) {
  if (a.count() == 2) throw misuse{a.positions[1], "descriptor_at takes a tile, or TILE, MN, K"};
  const coord first = a.count() == 1 ? coord{} : element_at(a, 1);
  const matrix_descriptor d = descriptor_at(a.tile(0), first.row, first.col);
  if (const descriptor_violation broken = check(d); !broken.ok()) throw layout_error("descriptor ", d, ": ", broken);
  return d;
}

/// descriptor_of(LAYOUT, MAJOR, TYPE, MN, K), or of the instruction that begins at (MN0, K0).
inline value descriptor_of_layout(const arguments& a) {
  if (a.count() == 6)
    throw misuse{a.positions[5], "descriptor_of takes LAYOUT, MAJOR, TYPE, MN, K, and MN0, K0 or not"};
  const auto first = [&](int i) { return a.count() == 7 ? a.integer(i, 0, most_extent) : 0; };
  return descriptor_of(a.swizzled(0), direction_at(a, 1), operand_bits(a, 2), a.integer(3, 1, most_extent),
                       a.integer(4, 1, most_extent), first(5), first(6));
}

/// boxes_of() of a layout: LAYOUT, MAJOR, TYPE.
inline staged_boxes found_boxes(const arguments& a) {
  return boxes_of(a.swizzled(0), direction_at(a, 1), operand_bits(a, 2));
}

/// box_of(TILE), or of the LAYOUT of one.
inline value box_extents_of(const arguments& a) {
  if (a.count() == 2) throw misuse{a.positions[1], "box_of takes a tile, or LAYOUT, MAJOR, TYPE"};
  const tma_box box = a.count() == 1 ? box_of(a.tile(0)) : found_boxes(a).box;
  return make_shape(box.extent[0], box.extent[1]);
}

/// ldmatrix_rows(LAYOUT, MAJOR, TYPE)
inline value ldmatrix_rows_of(const arguments& a) {
  return ldmatrix_rows(a.swizzled(0), direction_at(a, 1), operand_bits(a, 2));
}

/// The 64 bits of an argument: a word, an integer that is not negative, or a descriptor.
inline std::uint64_t word_at(const arguments& a, int i) {
  if (const auto* d = std::get_if<matrix_descriptor>(&a[i])) return encode(*d);
  if (const auto* w = std::get_if<word>(&a[i])) return w->bits;
  const std::int64_t number = a.integer(i);
  if (number < 0) a.expected(i, "64 bits, as in 0x4000004000010200");
  return static_cast<std::uint64_t>(number);
}

/// decode(WORD). Refuses bits that are no descriptor.
inline value decode_of(const arguments& a) {
  const std::uint64_t bits = word_at(a, 0);
  if (const descriptor_violation broken = check(bits); !broken.ok())
    throw layout_error(hexadecimal(bits).c_str(), ": ", broken);
  return decode(bits);
}

/// encode(DESCRIPTOR), or encode(START, LBO, SBO, SWIZZLE) in bytes.
inline value encode_of(const arguments& a) {
  if (a.count() == 1) return word{encode(a.as<matrix_descriptor>(0, "a descriptor"))};
  if (a.count() != 4) throw misuse{a.positions[0], "encode takes a descriptor, or START, LBO, SBO, SWIZZLE"};
  const auto bytes_at = [&](int i) { return static_cast<unsigned>(a.integer(i, 0, INT32_MAX)); };
  const matrix_descriptor d{
      .start_bytes = bytes_at(0), .leading_bytes = bytes_at(1), .stride_bytes = bytes_at(2), .swizzle = mode_at(a, 3)};
  if (const descriptor_violation broken = check(d); !broken.ok()) throw layout_error("encode: ", broken);
  return word{encode(d)};
}

/// Argument 0 as a descriptor: one, or its 64 bits.
inline matrix_descriptor descriptor_argument(const arguments& a) {
  const auto* d = std::get_if<matrix_descriptor>(&a[0]);
  return d != nullptr ? *d : std::get<matrix_descriptor>(decode_of(a));
}

/// read_offset(DESCRIPTOR, MAJOR, MN, K, TYPE)
inline value read_offset_of(const arguments& a) {
  return std::int64_t{read_offset(descriptor_argument(a), direction_at(a, 1), a.integer(2, 0, 255),
                                  a.integer(3, 0, 255), operand_bits(a, 4))};
}

/// descriptor_layout(DESCRIPTOR, MAJOR, TYPE, MN, K)
inline value descriptor_layout_of(const arguments& a) {
  return descriptor_layout(descriptor_argument(a), direction_at(a, 1), operand_bits(a, 2), a.integer(3, 1, most_extent),
                           a.integer(4, 1, most_extent));
}

/// canonical_layout(MAJOR, SWIZZLE, TYPE, MN, K, LBO, SBO)
inline value canonical_layout_of(const arguments& a) {
  return canonical_layout(direction_at(a, 0), mode_at(a, 1), operand_bits(a, 2), a.integer(3, 1, most_extent),
                          a.integer(4, 1, most_extent), a.integer(5), a.integer(6));
}

/// accumulator_registers(N, TYPE)
inline value accumulator_registers_of(const arguments& a) {
  const int n = a.integer(0, 8, 256), bits = a.bits(1);
  if (bits != 16 && bits != 32) throw layout_error("an accumulator has elements of 16 or 32 bits, not ", bits);
  if (n % 8 != 0) throw layout_error("accumulator_registers: n = ", n, " is not a multiple of 8");
  return std::int64_t{accumulator_registers(n, bits)};
}

/// conflict_degree(L, BITS, WIDTH, LANES): L gives each lane the element that its access of WIDTH bytes begins with.
inline value conflict_degree_of(const arguments& a) {
  const swizzled_layout l = a.swizzled(0);
  const int bits = a.bits(1), width = a.integer(2, 1, 16);
  const int most = size(l) < warp_lanes ? static_cast<int>(size(l)) : warp_lanes;
  const int lanes = a.count() == 4 ? a.integer(3, 1, most) : most;
  const auto address_of = [&](int lane) {
    const std::int64_t offset = offset_at(lane, l);
    if (offset > INT32_MAX)
      throw layout_error("lane ", lane, " begins at offset ", offset, ", which is not in shared memory");
    if (offset * bits % 8 != 0) throw layout_error("lane ", lane, " begins at bit ", offset * bits, ", inside a byte");
    return offset * bits / 8;
  };
  return std::int64_t{conflict_degree(address_of, width, lanes)};
}

/// Rows and columns, or thread, register and part, as a tuple.
inline value tuple_of(coord at) { return make_coord(at.row, at.col); }
inline value tuple_of(const register_slot& at) { return make_coord(at.thread, at.reg, at.part); }

/// A thread of a warpgroup as argument i.
inline int thread_at(const arguments& a, int i) { return a.integer(i, 0, warpgroup_threads - 1); }
/// A row of a fragment as argument i.
inline int row_at(const arguments& a, int i) { return a.integer(i, 0, wgmma_rows - 1); }

/// The bits of an operand that has a sparse form.
inline int sparse_bits(const arguments& a, int i) {
  const int bits = operand_bits(a, i);
  if (bits == 1) throw layout_error("there is no sparse form of 1-bit operands");
  return bits;
}

/// The functions of the hardware.
inline std::span<const function> hardware_functions() {
  using A = const arguments&;
  static constexpr function table[] = {
      {"byte_swizzle", "SWIZZLE_MODE", 1, 1, [](A a) -> value { return byte_swizzle(mode_at(a, 0)); }},
      {"make_swizzle", "BITS, BASE, SHIFT", 3, 3,
       [](A a) -> value { return make_swizzle(a.integer(0, 0, 63), a.integer(1, 0, 63), a.integer(2, -63, 63)); }},
      {"with_swizzle", "L, SWIZZLE or L, SWIZZLE, OFFSET", 2, 3,
       [](A a) -> value { return with_swizzle(a.layout(0), a.swizzle(1), a.count() == 3 ? a.integer(2) : 0); }},
      {"span_bytes", "SWIZZLE_MODE", 1, 1, [](A a) -> value { return std::int64_t{span_bytes(mode_at(a, 0))}; }},
      {"pattern_bytes", "SWIZZLE_MODE", 1, 1, [](A a) -> value { return std::int64_t{pattern_bytes(mode_at(a, 0))}; }},
      {"bits", "TYPE", 1, 1, [](A a) -> value { return std::int64_t{a.bits(0)}; }},
      {"tile", "TYPE, MN, K, MAJOR, SWIZZLE_MODE", 5, 5, tile_of},
      {"bytes", "TILE", 1, 1, [](A a) -> value { return std::int64_t{bytes(a.tile(0))}; }},
      {"panels", "TILE", 1, 1, [](A a) -> value { return std::int64_t{panels(a.tile(0))}; }},
      {"panel_width", "TILE", 1, 1, [](A a) -> value { return std::int64_t{panel_width(a.tile(0))}; }},
      {"panel_rows", "TILE", 1, 1, [](A a) -> value { return std::int64_t{panel_rows(a.tile(0))}; }},
      {"panel_bytes", "TILE", 1, 1, [](A a) -> value { return std::int64_t{panel_bytes(a.tile(0))}; }},
      {"alignment", "TILE", 1, 1, [](A a) -> value { return std::int64_t{alignment(a.tile(0))}; }},
      {"boxes", "TILE", 1, 1, [](A a) -> value { return std::int64_t{boxes(a.tile(0))}; }},
      {"box_of", "TILE or LAYOUT, MAJOR, TYPE", 1, 3, box_extents_of},
      {"box_starts", "LAYOUT, MAJOR, TYPE", 3, 3, [](A a) -> value { return found_boxes(a).starts; }},
      {"ldmatrix_rows", "LAYOUT, MAJOR, TYPE", 3, 3, ldmatrix_rows_of},
      {"place_of_box", "TILE, INDEX", 2, 2,
       [](A a) -> value {
         const box_place place = place_of_box(a.tile(0), a.integer(1, 0, boxes(a.tile(0)) - 1));
         return make_coord(place.mn, place.k, place.offset_bytes);
       }},
      {"written_at", "TILE, MN, K", 3, 3,
       [](A a) -> value { return std::int64_t{written_at(a.tile(0), element_at(a, 1).row, element_at(a, 1).col)}; }},
      {"read_at", "TILE, MN, K, MN_INSTRUCTION, K_INSTRUCTION", 5, 5,
       [](A a) -> value {
         const coord at = element_at(a, 1), step = instruction_at(a, 3);
         return std::int64_t{read_at(a.tile(0), at.row, at.col, step.row, step.col)};
       }},
      {"reachable", "TILE, MN_INSTRUCTION, K_INSTRUCTION", 3, 3,
       [](A a) -> value {
         const coord step = instruction_at(a, 1);
         return reachable(a.tile(0), step.row, step.col).ok;
       }},
      {"descriptor_at", "TILE or TILE, MN, K", 1, 3, descriptor_at_of},
      {"descriptor_of", "LAYOUT, MAJOR, TYPE, MN, K or LAYOUT, MAJOR, TYPE, MN, K, MN0, K0", 5, 7,
       descriptor_of_layout},
      {"encode", "DESCRIPTOR or START, LBO, SBO, SWIZZLE_MODE", 1, 4, encode_of},
      {"decode", "WORD", 1, 1, decode_of},
      {"read_offset", "DESCRIPTOR, MAJOR, MN, K, TYPE", 5, 5, read_offset_of},
      {"canonical_layout", "MAJOR, SWIZZLE_MODE, TYPE, MN, K, LBO, SBO", 7, 7, canonical_layout_of},
      {"descriptor_layout", "DESCRIPTOR, MAJOR, TYPE, MN, K", 5, 5, descriptor_layout_of},
      {"d_layout", "N", 1, 1, [](A a) -> value { return d_layout(a.integer(0, 8, 256)); }},
      {"a_layout", "TYPE", 1, 1, [](A a) -> value { return a_layout(operand_bits(a, 0)); }},
      {"sparse_a_layout", "TYPE", 1, 1, [](A a) -> value { return sparse_a_layout(sparse_bits(a, 0)); }},
      {"metadata_layout", "TYPE", 1, 1, [](A a) -> value { return metadata_layout(sparse_bits(a, 0)); }},
      {"accumulator_registers", "N, TYPE", 2, 2, accumulator_registers_of},
      {"d_coord", "THREAD, REGISTER", 2, 2,
       [](A a) -> value { return tuple_of(d_coord(thread_at(a, 0), a.integer(1, 0, 127))); }},
      {"d_slot", "ROW, COLUMN", 2, 2,
       [](A a) -> value { return tuple_of(d_slot(row_at(a, 0), a.integer(1, 0, 255))); }},
      {"a_coord", "TYPE, THREAD, REGISTER, PART", 4, 4,
       [](A a) -> value {
         const int bits = operand_bits(a, 0);
         return tuple_of(a_coord(bits, thread_at(a, 1), a.integer(2, 0, 3), a.integer(3, 0, a_parts(bits) - 1)));
       }},
      {"a_slot", "TYPE, ROW, COLUMN", 3, 3,
       [](A a) -> value {
         const int bits = operand_bits(a, 0);
         return tuple_of(a_slot(bits, row_at(a, 1), a.integer(2, 0, a_columns(bits) - 1)));
       }},
      {"conflict_degree", "L, TYPE, WIDTH or L, TYPE, WIDTH, LANES", 3, 4, conflict_degree_of},
      {"hex", "INTEGER", 1, 1, [](A a) -> value { return word{word_at(a, 0)}; }},
  };
  return table;
}

}  // namespace sectile::expressions
