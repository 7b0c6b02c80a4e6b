// The words that explanations are made of: numbers, plurals, tables, and the names of what a plan holds.
#pragma once
#include <algorithm>
#include <cstdint>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include <sectile/dsl/plan/plan.hpp>
#include <sectile/layouts/descriptor_text.hpp>

namespace sectile::tell {

/// The parts one behind the other: texts as they are, numbers in decimal.
template <class... Parts>
std::string say(const Parts&... parts) {
  std::string text;
  const auto add = [&](const auto& part) {
    if constexpr (std::is_integral_v<std::remove_cvref_t<decltype(part)>>)
      text += std::to_string(part);
    else
      text += part;
  };
  (add(parts), ...);
  return text;
}

/// "1 stage", "4 stages".
inline std::string count(std::int64_t number, const std::string& thing) {
  return say(number, " ", thing, number == 1 ? "" : thing.back() == 's' || thing.back() == 'x' ? "es" : "s");
}

/// "a", "a and b", "a, b and c".
inline std::string list(const std::vector<std::string>& things) {
  std::string text;
  for (std::size_t i = 0; i < things.size(); ++i)
    text += (i == 0 ? "" : i + 1 == things.size() ? " and " : ", ") + things[i];
  return text;
}

/// "128 x 64": the extents, batch modes left out.
inline std::string matrix_text(const operand_facts& f) { return say(f.rows(), " x ", f.cols()); }

inline std::string swizzle_text(swizzle_mode mode) {
  return mode == swizzle_mode::none ? "no swizzle" : say(span_bytes(mode), "-byte swizzle");
}

inline std::string major_text(major m) { return m == major::k ? "K-major" : "MN-major"; }

/// "0x4000004000010000"
inline std::string hexadecimal(std::uint64_t x, int digits) {
  message m;
  print_hexadecimal(m, x, digits);
  return m.chars;
}

/// Rows of cells as lines of text: columns as wide as their widest cell, numbers to the right, an indent of two.
struct table {
  std::vector<std::vector<std::string>> rows;

  void add(const auto&... cells) { rows.push_back({say(cells)...}); }

  static bool is_number(const std::string& cell) {
    return !cell.empty() && cell.find_first_not_of("0123456789") == std::string::npos;
  }

  std::string text() const {
    std::vector<std::size_t> width;
    for (const auto& row : rows) {
      if (width.size() < row.size()) width.resize(row.size());
      for (std::size_t c = 0; c < row.size(); ++c) width[c] = std::max(width[c], row[c].size());
    }
    std::string out;
    for (const auto& row : rows) {
      std::string line = " ";
      for (std::size_t c = 0; c < row.size(); ++c) {
        const std::string space(width[c] - row[c].size(), ' ');
        line += " " + (is_number(row[c]) ? space + row[c] : row[c] + space) + " ";
      }
      line.erase(line.find_last_not_of(' ') + 1);
      out += line + "\n";
    }
    return out;
  }
};

/// The instruction that brings a tile into registers.
inline const char* instruction_of(const fragment_read& r) {
  if (r.as_sums) return words_of_sums(r.tile) == 2 ? "ld.shared.v2" : "ld.shared";
  return r.tile.major == major::k ? "ldmatrix" : "ldmatrix.trans";
}

/// How an input's tile is read: by the first product that names it, by one that takes it from registers, or by ordinary
/// instructions.
struct operand_use {
  int product = -1;  // index in the plan's products; -1: of an output, or of an addend
  bool is_a = false;
  operand_tile tile{};
  bool to_registers = false;  // ordinary loads bring the tile there, and no descriptor names it

  bool is_addend() const { return product < 0 && to_registers; }
  bool is_input() const { return product >= 0 || to_registers; }
};

/// A tile that no product takes, of elements that none would take turned: as the rows and columns that lie there.
inline operand_tile told_as_it_lies(operand_tile t) {
  if (t.major != major::mn || t.element_bits == 16) return t;
  std::swap(t.mn, t.k);
  t.major = major::k;
  return t;
}

inline operand_use use_of(const plan& p, int operand) {
  for (int i = 0; i < p.products.count; ++i) {
    const product_plan& q = p.products.at[i];
    if (q.a_operand == operand) return {i, true, q.a};
    if (q.b_operand == operand) return {i, false, q.b};
  }
  for (int r = 0; r < p.products.reads; ++r)
    for (int i = 0; i < p.products.count; ++i)
      if (p.products.read[r].operand == operand && p.products.at[i].instruction.a_in_registers &&
          p.products.at[i].instruction.a == p.operand[operand].facts.type)
        return {i, true, p.products.read[r].tile, true};
  for (int r = 0; r < p.products.reads; ++r)
    if (p.products.read[r].operand == operand) return {-1, true, told_as_it_lies(p.products.read[r].tile), true};
  return {};
}

/// Bytes from the start of the CTA's shared memory to an operand's tile in stage 0.
inline int tile_offset(const plan& p, int operand) {
  const operand_plan& op = p.operand[operand];
  return p.ring[op.ring].offset + op.stage_offset;
}

/// "A and B": the operands that share a ring.
inline std::string members_text(const plan& p, const ring_plan& r) {
  std::vector<std::string> names;
  for (int m = 0; m < r.members; ++m) names.push_back(p.operand[r.member[m]].facts.name);
  return list(names);
}

}  // namespace sectile::tell
