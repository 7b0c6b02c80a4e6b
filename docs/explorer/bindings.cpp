// The explorer's program: functions that take numbers and text and answer in JSON, compiled to WebAssembly. An answer
// stays valid until the next call. What goes wrong is answered as {"problem": "..."}: nothing is thrown.
#include <algorithm>
#include <cstdint>
#include <exception>
#include <optional>
#include <string>
#include <utility>

#include <sectile/layouts/descriptor_fields.hpp>

#include "views.hpp"

namespace {

using namespace sectile;
using namespace sectile::explorer;

std::string answer;
std::optional<subject> shown[3];  // the page's own, the descriptor's, and one to compare with

/// Keeps what f gives as the answer, or the problem that it ends with.
template <class F>
const char* answered(F f) {
  try {
    answer = f();
  } catch (const std::exception& why) {
    answer = json().open('{').member("problem", why.what()).close('}').text();
  }
  return answer.c_str();
}

/// A number from the page, which may be any: cut to what JavaScript counts exactly, 0 for what is none.
std::int64_t whole(double number) {
  constexpr double most = 9007199254740992;  // 2^53
  return number == number ? static_cast<std::int64_t>(std::clamp(number, -most, most)) : 0;
}

void add_tile(json& out, const expressions::typed_tile& t) {
  out.key("tile")
      .open('{')
      .member("type", t.type ? t.type->name : std::to_string(t.element_bits))
      .member("mn", t.mn)
      .member("k", t.k)
      .member("bits", t.element_bits);
  out.member("major", t.major == major::k ? "k" : "mn").member("swizzle", expressions::mode_word(t.swizzle));
  out.member("bytes", bytes(t)).member("panels", panels(t)).member("boxes", boxes(t)).member("alignment", alignment(t));
  out.close('}');
}

/// "injective", and whether the offsets have gaps.
std::string questions(const subject& s) {
  if (expressions::cases_of_injectivity(s.of.inner) > 2e6) return "whether it is injective takes too long to find out";
  if (!is_injective(s.of.inner)) return "not injective: some coordinates share an offset";
  return is_compact(s.of.inner) ? "injective, compact" : "injective, not compact";
}

/// One past the largest offset, where that can be found out.
std::string cosize_text(const subject& s) {
  try {
    return joined(cosize(s.of));
  } catch (const layout_error&) {
    return "unknown";
  }
}

/// What is there to say of the whole.
std::string subject_json(const subject& s, const std::string& text) {
  json out;
  out.open('{').member("text", text).member("layout", expressions::shortest_text(s.of));
  out.member("size", size(s.of)).member("rank", rank(s.of)).member("bits", s.bits);
  out.member("facts", joined("size ", size(s.of), ", cosize ", cosize_text(s).c_str(), ", rank ", rank(s.of),
                             ", depth ", depth(s.of), "; ", questions(s).c_str()));
  if (s.tile) add_tile(out, *s.tile);
  out.member("kind", s.tile ? "tile" : s.registers ? "fragment" : "layout");
  out.member("registers", s.tile && fills_registers(*s.tile));
  return out.close('}').text();
}

std::string problem_json(const std::string& text, const evaluated& e) {
  return json()
      .open('{')
      .member("problem", e.problem)
      .member("position", e.position)
      .member("refused", e.refused)
      .member("explained", explained(text, e))
      .close('}')
      .text();
}

const subject& at_slot(int slot) {
  if (slot < 0 || slot > 2 || !shown[slot]) throw layout_error("nothing is drawn yet");
  return *shown[slot];
}

/// "0x4000004000010200" as a word. Refuses what is no hexadecimal number of 64 bits.
std::uint64_t word_of(const std::string& text) {
  std::string digits = text;
  if (digits.rfind("0x", 0) != 0 && digits.rfind("0X", 0) != 0) digits = "0x" + digits;
  const evaluated e = evaluate(digits);
  const auto* word = std::get_if<expressions::word>(&e.result);
  if (!e || word == nullptr) throw layout_error("a descriptor is 64 bits in hexadecimal, as in 0x4000004000010200");
  return word->bits;
}

/// The bits of an element of a type, or of so many bits.
int bits_of(const std::string& type) {
  const evaluated e = evaluate("bits(" + type + ")");
  if (!e) throw layout_error(e.problem.c_str());
  return static_cast<int>(std::get<std::int64_t>(e.result));
}

/// The 64 bits from bit 0 up: the fields, numbered, and between them (field -1) the bits that must be 0; each with what
/// is said of it.
void add_bits(json& out, const std::vector<descriptor_field>& fields) {
  std::vector<std::pair<bit_range, int>> parts;
  for (const bit_range& gap : descriptor_gaps()) parts.push_back({gap, -1});
  for (std::size_t f = 0; f < fields.size(); ++f) {
    parts.push_back({{fields[f].first_bit, fields[f].last_bit}, static_cast<int>(f)});
  }
  std::sort(parts.begin(), parts.end(),
            [](const auto& a, const auto& b) { return a.first.first_bit < b.first.first_bit; });
  out.key("bits").open('[');
  for (const auto& [range, f] : parts) {
    const std::string name = f < 0 ? "" : fields[static_cast<std::size_t>(f)].name;
    out.open('{').member("count", range.last_bit - range.first_bit + 1).member("field", f).member("name", name);
    out.member("says",
               f < 0 ? gap_text(range) : joined("bits ", range.first_bit, " to ", range.last_bit, ": ", name.c_str()));
    out.close('}');
  }
  out.close(']');
}

void add_fields(json& out, const std::vector<descriptor_field>& fields) {
  out.key("fields").open('[');
  for (const descriptor_field& f : fields) {
    out.open('{').member("name", f.name).member("first_bit", f.first_bit).member("last_bit", f.last_bit);
    out.member("value", static_cast<std::int64_t>(f.value)).member("bytes", f.bytes).member("meaning", f.meaning);
    out.close('}');
  }
  out.close(']');
}

/// The fields of a descriptor, and what is wrong with it, or the layout that it says of the operand of one instruction:
/// 64 of M or N and one step of K. The layout is what slot 1 shows.
std::string descriptor_json(const std::string& hex, const std::string& direction_name, const std::string& type) {
  const std::uint64_t bits = word_of(hex);
  const major direction = direction_name == "mn" ? major::mn : major::k;
  const int element_bits = bits_of(type);
  const matrix_descriptor d = decode(bits);
  const operand_tile as_tile{wgmma_rows, a_columns(element_bits), element_bits, direction, d.swizzle};
  message line, problem;
  line.add(d);
  problem.add(check(bits));
  json out;
  out.open('{').member("text", std::string(line.chars)).member("hex", expressions::hexadecimal(bits));
  const std::vector<descriptor_field> fields = descriptor_fields(bits, as_tile);
  add_bits(out, fields);
  add_fields(out, fields);
  out.member("illegal", std::string(problem.chars));
  shown[1].reset();
  if (!check(bits).ok()) return out.close('}').text();
  const std::string text =
      joined("descriptor_layout(", expressions::hexadecimal(bits).c_str(), ", ", direction == major::k ? "k" : "mn",
             ", ", type.c_str(), ", ", as_tile.mn, ", ", as_tile.k, ")");
  out.member("expression", text);
  const evaluated drawn = evaluate(text);
  out.member("no_layout", drawn.problem);
  if (drawn) {
    out.member("layout", to_string(drawn));
    shown[1] = subject_of(drawn.result, element_bits);
  }
  return out.close('}').text();
}

/// The integer that a text is. Refuses what is none.
std::int64_t integer_of(const std::string& text) {
  const evaluated e = evaluate(text);
  std::int64_t number = 0;
  if (!e || !expressions::as_integer(e.result, number)) throw layout_error("a number is expected, as in 0x400 or 1024");
  return number;
}

/// The descriptor of the instruction that reads element `index` of the tile, whose first byte is at `start_text`.
std::string tile_descriptor_json(const subject& s, std::int64_t index, const std::string& start_text) {
  const std::int64_t start = integer_of(start_text);
  if (!s.tile) throw layout_error("only an operand tile has a descriptor; make one with tile(...)");
  if (index < 0 || index >= size(s.of)) throw layout_error("there is no element ", index, ": there are ", size(s.of));
  const coord step = operand_a_step(*s.tile), at = s.place(index);
  if (const tile_violation broken = check(*s.tile, step.row, step.col); !broken.ok()) throw layout_error(broken);
  const int mn = at.row / step.row * step.row, k = at.col / step.col * step.col;
  matrix_descriptor d = descriptor_at(*s.tile, mn, k);
  if (start < 0 || start >= descriptor_field_end)
    throw layout_error("a start address is 0 to ", descriptor_field_end - 1, ", not ", start);
  if (start % alignment(*s.tile) != 0) {
    throw layout_error("the tile must begin at a multiple of ", alignment(*s.tile), " bytes, not at ", start);
  }
  d.start_bytes += static_cast<unsigned>(start);
  if (const descriptor_violation broken = check(d); !broken.ok()) throw layout_error(broken);
  message line;
  line.add(d);
  json out;
  out.open('{').member("hex", expressions::hexadecimal(encode(d))).member("text", std::string(line.chars));
  out.member("mn", mn).member("k", k).member("mn_extent", step.row).member("k_extent", step.col);
  return out.close('}').text();
}

/// How the layout in slot 0 and another one, which slot 2 then shows, differ as functions of the index.
std::string compared(const subject& s, const std::string& text) {
  shown[2].reset();
  const evaluated e = evaluate(text);
  if (!e) return problem_json(text, e);
  subject other = subject_of(e.result, s.bits);
  constexpr std::int64_t most = 1 << 15;
  const std::int64_t both = std::min(size(s.of), size(other.of)), looked_at = std::min(both, most);
  std::int64_t differ = 0, first = -1;
  for (std::int64_t i = 0; i < looked_at; ++i)
    if (s.offset(i) != other.offset(i) && differ++ == 0) first = i;
  json out;
  out.open('{').member("text", to_string(e)).member("size", size(s.of)).member("other_size", size(other.of));
  out.member("looked_at", looked_at).member("differ", differ).member("first", first);
  if (first >= 0) out.member("here", s.offset(first)).member("there", other.offset(first));
  shown[2] = std::move(other);
  return out.close('}').text();
}

/// One access by the lanes of a warp: `text` is a layout from the lane to the index of an element of what is shown, of
/// which each lane takes so many bytes from that element on.
std::string access_json(const subject& s, const std::string& text, int width) {
  const evaluated e = evaluate(text);
  if (!e) return problem_json(text, e);
  const subject lanes = subject_of(e.result, 8);
  if (size(lanes.of) > warp_lanes) throw layout_error("a warp has ", warp_lanes, " lanes, this has ", size(lanes.of));
  const int count = static_cast<int>(size(lanes.of));
  for (int lane = 0; lane < count; ++lane) {
    const std::int64_t index = lanes.offset(lane);
    if (index < 0 || index >= size(s.of))
      throw layout_error("lane ", lane, " takes element ", index, ": there are ", size(s.of));
  }
  const auto address = [&](int lane) { return s.byte(lanes.offset(lane)); };
  const bank_conflict worst = worst_conflict(address, width, count);
  json out;
  out.open('{').member("degree", worst.degree).member("pass", worst.pass).member("bank", worst.bank);
  out.member("together", std::min(count, shared_banks * bank_bytes / std::max(width, bank_bytes)));
  out.key("lanes").open('[');
  for (int lane = 0; lane < count; ++lane) {
    const std::int64_t byte = address(lane);
    out.open('{').member("index", lanes.offset(lane)).member("byte", byte);
    out.member("bank", byte / bank_bytes % shared_banks).close('}');
  }
  return out.close(']').close('}').text();
}

}  // namespace

extern "C" {

/// Evaluates an expression and, if it is a layout, makes it what is shown, of elements of a type (a name, or a number
/// of bits). On a problem the last one stays.
const char* explorer_show(const char* text, const char* type) {
  return answered([&] {
    const evaluated e = evaluate(text);
    if (!e) return problem_json(text, e);
    swizzled_layout ignored;
    std::int64_t number = 0;
    if (expressions::as_integer(e.result, number) || !expressions::as_swizzled(e.result, ignored)) {
      return json()
          .open('{')
          .member("value", to_string(e))
          .member("what", expressions::kind_name(e.result))
          .close('}')
          .text();
    }
    subject next = subject_of(e.result, bits_of(type));
    std::string said = subject_json(next, to_string(e));
    shown[0] = std::move(next);
    return said;
  });
}

/// A window of one of the tables: grid, memory, registers, matrix; dealt, the tile of `unit` rows that a layout deals
/// out to threads; other, what slot 2 shows beside slot 0.
const char* explorer_view(int slot, const char* name, double first_row, double first_column, int rows, int columns,
                          int unit, const char* colour, double index) {
  return answered([&] {
    const subject& s = at_slot(slot);
    const window w{whole(first_row), whole(first_column), std::max(rows, 1), std::max(columns, 1)};
    const std::string_view view = name;
    const colouring by = colouring_of(colour);
    const auto element = std::clamp<std::int64_t>(whole(index), 0, size(s.of) - 1);
    if (view == "dealt") return dealt_json(s, w, std::clamp(unit, 1, 1 << 20));
    if (view == "other") return compared_json(s, at_slot(0), w);
    if (view == "memory") return memory_json(s, w, unit_bytes(s, unit), by);
    if (view == "matrix" && s.registers) return matrix_json(s, w, by);
    if (view == "registers" && s.tile && fills_registers(*s.tile)) return registers_json(s, w, element, by);
    return grid_json(s, w, by);
  });
}

/// How what is shown differs from another expression's layout.
const char* explorer_compare(const char* text) {
  return answered([&] { return compared(at_slot(0), text); });
}

/// The bank conflicts of an access to what is shown.
const char* explorer_access(const char* text, int width) {
  return answered([&] { return access_json(at_slot(0), text, width); });
}

/// All that is known of an element, and its place in each table.
const char* explorer_element(int slot, double index, int unit) {
  return answered([&] {
    const subject& s = at_slot(slot);
    const std::int64_t element = whole(index);
    if (element < 0 || element >= size(s.of))
      throw layout_error("there is no element ", element, ": there are ", size(s.of));
    json out;
    out.open('{').member("index", element).key("facts").open('[');
    for (const fact& f : facts_of(s, element)) {
      out.open('{').member("name", f.name).member("text", f.text).member("note", f.note).close('}');
    }
    out.close(']');
    add_places(out, s, element, unit_bytes(s, unit));
    return out.close('}').text();
  });
}

/// A descriptor from its hexadecimal digits, of an operand of a type (a name, or a number of bits) that is contiguous
/// along `direction`, "k" or "mn": its fields, and what is wrong with it or the layout that it says, which slot 1 then
/// shows.
const char* explorer_descriptor(const char* hex, const char* direction, const char* type) {
  return answered([&] { return descriptor_json(hex, direction, type); });
}

/// The descriptor of the instruction that reads element `index` of the tile that is shown, where the tile's first byte
/// is at `start` (an expression), as hexadecimal digits; and the instruction's first element and extents.
const char* explorer_tile_descriptor(double index, const char* start) {
  return answered([&] { return tile_descriptor_json(at_slot(0), whole(index), start); });
}

/// The functions of the language, and how each is called.
const char* explorer_functions() {
  return answered([] {
    json out;
    out.open('[');
    for (const expressions::function& f : expressions::functions()) {
      out.value(std::string(f.name) + "(" + f.signature + ")");
    }
    return out.close(']').text();
  });
}

}  // extern "C"
