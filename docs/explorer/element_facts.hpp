// All that is known of one element: its coordinate, where it lies, what moves it, and who holds it.
#pragma once

#include <string>
#include <vector>

#include "subject.hpp"

namespace sectile::explorer {

/// A fact with its name, and what it means in a few words.
struct fact {
  std::string name;
  std::string text;
  std::string note;
};

/// Joins numbers and texts.
template <class... Parts>
std::string joined(const Parts&... parts) {
  message text;
  (text.add(parts), ...);
  return text.chars;
}

/// The extents of the instruction that would read this tile: 64 rows of A, or all of a smaller tile, and one step of K.
inline position instruction_of(const operand_tile& t) {
  return {t.mn % wgmma_rows == 0 ? wgmma_rows : t.mn, a_columns(t.element_bits)};
}

/// An element of a tile: row and column of the matrix.
inline position element_of_tile(const subject& s, std::int64_t index) {
  return {static_cast<int>(index % s.rows), static_cast<int>(index / s.rows)};
}

/// The core matrix of an element, and the row of it.
struct core_place {
  int across = 0;  ///< along M or N
  int along = 0;   ///< along K
  int row = 0;
};

inline core_place core_of(const operand_tile& t, position at) {
  const int width = core_matrix_row_elements(t.element_bits);
  if (t.major == major::k) return {at.row / core_matrix_rows, at.col / width, at.row % core_matrix_rows};
  return {at.row / width, at.col / core_matrix_rows, at.col % core_matrix_rows};
}

/// The TMA box that brings an element, and the element's coordinate inside it, innermost first.
struct box_at {
  int box = 0;
  int x = 0, y = 0;
};

inline box_at box_of_element(const operand_tile& t, position at) {
  const tma_box box = box_of(t);
  const int wide = box.extent[0] * box.element_bits / t.element_bits;
  for (int b = 0; b < boxes(t); ++b) {
    const box_place place = place_of_box(t, b);
    const bool k_major = t.major == major::k;
    const int x = k_major ? at.col - place.k : at.row - place.mn;
    const int y = k_major ? at.row - place.mn : at.col - place.k;
    if (x >= 0 && x < wide && y >= 0 && y < box.extent[1]) return {b, x, y};
  }
  return {};
}

/// Where an element of operand A would be if the instruction took it from registers. False if A cannot.
inline bool register_of(const subject& s, std::int64_t index, register_slot& slot, position& instruction) {
  if (s.registers) {
    const auto at = static_cast<int>(s.offset(index));
    slot = s.registers->slot(at % wgmma_rows, at / wgmma_rows);
    instruction = {};
    return true;
  }
  if (!s.tile || s.tile->mn % wgmma_rows != 0) return false;
  const position at = element_of_tile(s, index);
  const int columns = a_columns(s.bits);
  instruction = {at.row / wgmma_rows, at.col / columns};
  slot = a_slot(s.bits, at.row % wgmma_rows, at.col % columns);
  return true;
}

/// Where it lies in shared memory.
inline void add_memory_facts(std::vector<fact>& facts, const subject& s, std::int64_t index) {
  const std::int64_t byte = s.byte(index);
  const int first_bit = static_cast<int>(((s.offset(index) * s.bits) % 8 + 8) % 8);
  facts.push_back({"byte", joined(byte) + (first_bit == 0 ? "" : joined(", bit ", first_bit)),
                   joined("offset x ", s.bits, s.bits == 1 ? " bit" : " bits")});
  if (byte < 0) return;
  const auto bank = byte / bank_bytes % shared_banks;
  const auto last = (byte + (s.bits > 32 ? s.bits / 8 - 1 : 0)) / bank_bytes % shared_banks;
  facts.push_back({"bank", last == bank ? joined(bank) : joined(bank, " to ", last),
                   joined("byte / ", bank_bytes, " mod ", shared_banks)});
  facts.push_back(
      {"16-byte unit", joined(byte / 16), joined("unit ", byte % line_bytes / 16, " of line ", byte / line_bytes)});
}

inline void add_tile_facts(std::vector<fact>& facts, const subject& s, std::int64_t index) {
  const operand_tile& t = *s.tile;
  const position at = element_of_tile(s, index);
  const position step = instruction_of(t);
  const core_place core = core_of(t, at);
  facts.push_back({"core matrix", joined("(", core.across, ",", core.along, ")"), joined("its row ", core.row)});
  const box_at box = box_of_element(t, at);
  facts.push_back({"TMA coordinate", joined("(", box.x, ",", box.y, ")"),
                   joined("in box ", box.box, " of ", boxes(t), ", innermost first")});
  facts.push_back({"TMA writes byte", joined(written_at(t, at.row, at.col)), "from the tile's first"});
  if (check(t, step.row, step.col).ok()) {
    facts.push_back({"wgmma reads byte", joined(read_at(t, at.row, at.col, step.row, step.col)),
                     joined("instruction at (", at.row / step.row * step.row, ",", at.col / step.col * step.col, ")")});
  }
}

/// Everything about element `index`, 0 <= index < size.
inline std::vector<fact> facts_of(const subject& s, std::int64_t index) {
  std::vector<fact> facts;
  facts.push_back({"coordinate", to_string(s.coordinate(index)), ""});
  facts.push_back({"index", joined(index), "leftmost mode fastest"});
  facts.push_back({"offset", joined(s.offset(index)), s.registers ? "m + 64 x column" : "in elements"});
  if (s.registers) {
    const std::int64_t at = s.offset(index);
    facts.push_back({"row and column", joined("(", at % wgmma_rows, ",", at / wgmma_rows, ")"),
                     joined("of 64 x ", s.registers->columns)});
  } else {
    add_memory_facts(facts, s, index);
  }
  if (s.tile) add_tile_facts(facts, s, index);
  register_slot slot;
  position instruction;
  if (register_of(s, index, slot, instruction)) {
    facts.push_back({"thread", joined(slot.thread),
                     joined("warp ", slot.thread / warp_lanes, ", lane ", slot.thread % warp_lanes)});
    const int parts = s.registers ? s.registers->parts() : a_parts(s.bits);
    facts.push_back(
        {"register", joined(slot.reg), parts == 1 ? std::string() : joined("part ", slot.part, " of ", parts)});
  }
  return facts;
}

}  // namespace sectile::explorer
