// All that is known of one element: its coordinate, where it lies, what moves it, and who holds it.
#pragma once

#include <optional>
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

/// Where an element is held in registers, or would be if operand A came from them; nothing if it cannot. Of a fragment
/// the instruction is the first.
inline std::optional<operand_slot> register_of(const subject& s, std::int64_t index) {
  if (s.registers) {
    const coord at = position_of_offset(s.offset(index));
    return operand_slot{{}, slot_at(*s.registers, at.row, at.col)};
  }
  if (!s.tile || !fills_registers(*s.tile)) return {};
  const coord at = s.place(index);
  return operand_slot_at(*s.tile, at.row, at.col);
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
  facts.push_back({"16-byte unit", joined(byte / core_matrix_row_bytes),
                   joined("unit ", byte % line_bytes / core_matrix_row_bytes, " of line ", byte / line_bytes)});
}

inline void add_tile_facts(std::vector<fact>& facts, const subject& s, std::int64_t index) {
  const operand_tile& t = *s.tile;
  const coord at = s.place(index);
  const coord step = operand_a_step(t);
  const core_matrix_place core = core_matrix_at(t, at.row, at.col);
  facts.push_back({"core matrix", joined("(", core.mn, ",", core.k, ")"), joined("its row ", core.row)});
  const box_coordinate box = box_at(t, at.row, at.col);
  const char* in_bytes = box_of(t).element_bits == t.element_bits ? "" : ", in bytes";
  facts.push_back({"TMA coordinate", joined("(", box.x, ",", box.y, ")"),
                   joined("in box ", box.box, " of ", boxes(t), ", innermost first", in_bytes)});
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
  facts.push_back(
      {"offset", joined(s.offset(index)), s.registers ? joined("row + ", wgmma_rows, " x column") : "in elements"});
  if (s.registers) {
    const coord at = position_of_offset(s.offset(index));
    facts.push_back({"row and column", joined("(", at.row, ",", at.col, ")"),
                     joined("of ", wgmma_rows, " x ", s.registers->columns)});
  } else {
    add_memory_facts(facts, s, index);
  }
  if (s.tile) add_tile_facts(facts, s, index);
  if (const auto held = register_of(s, index)) {
    const register_slot& slot = held->slot;
    facts.push_back({"thread", joined(slot.thread),
                     joined("warp ", slot.thread / warp_lanes, ", lane ", slot.thread % warp_lanes)});
    const int of_a_register = s.registers ? parts(*s.registers) : a_parts(s.bits);
    facts.push_back({"register", joined(slot.reg),
                     of_a_register == 1 ? std::string() : joined("part ", slot.part, " of ", of_a_register)});
  }
  return facts;
}

}  // namespace sectile::explorer
