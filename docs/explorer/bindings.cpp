// The explorer's program: functions that take numbers and text and answer in JSON, compiled to WebAssembly. An answer
// stays valid until the next call. What goes wrong is answered as {"problem": "..."}: nothing is thrown.
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
std::optional<subject> shown[2];  // the page's own, and the descriptor's

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

void add_tile(json& out, const operand_tile& t) {
  out.key("tile").open('{').member("mn", t.mn).member("k", t.k).member("bits", t.element_bits);
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
  register_slot slot;
  position instruction;
  out.member("registers", !s.registers && register_of(s, 0, slot, instruction));
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
  if (slot < 0 || slot > 1 || !shown[slot]) refuse("nothing is drawn yet");
  return *shown[slot];
}

/// "0x4000004000010200" as a word. Refuses what is no hexadecimal number of 64 bits.
std::uint64_t word_of(const std::string& text) {
  std::string digits = text;
  if (digits.rfind("0x", 0) != 0 && digits.rfind("0X", 0) != 0) digits = "0x" + digits;
  const evaluated e = evaluate(digits);
  const auto* word = std::get_if<expressions::word>(&e.result);
  if (!e || word == nullptr) refuse("a descriptor is 64 bits in hexadecimal, as in 0x4000004000010200");
  return word->bits;
}

/// The bits of an element of a type, or of so many bits.
int bits_of(const std::string& type) {
  const evaluated e = evaluate("bits(" + type + ")");
  if (!e) refuse(e.problem.c_str());
  return static_cast<int>(std::get<std::int64_t>(e.result));
}

/// The expression of the layout that a descriptor says, for an operand of mn x k elements.
std::string canonical_text(const matrix_descriptor& d, major direction, const std::string& type, int bits, int mn,
                           int k) {
  const auto elements = [bits](unsigned in_bytes) { return std::int64_t{in_bytes} * 8 / bits; };
  const std::string mode = expressions::mode_word(d.swizzle);
  const std::string plain =
      joined("canonical_layout(", direction == major::k ? "k" : "mn", ", ", mode.c_str(), ", ", type.c_str(), ", ", mn,
             ", ", k, ", ", elements(d.leading_bytes), ", ", elements(d.stride_bytes), ")");
  if (d.swizzle == swizzle_mode::none) return plain;
  return joined("recast(byte_swizzle(", mode.c_str(), "), 8, ", type.c_str(), ") o ", plain.c_str());
}

/// The fields of a descriptor, what is wrong with it, and the layout it says of mn x k elements; 0 means those of one
/// instruction.
std::string descriptor_json(const std::string& hex, const std::string& direction_name, const std::string& type, int mn,
                            int k) {
  const std::uint64_t bits = word_of(hex);
  const major direction = direction_name == "mn" ? major::mn : major::k;
  const int element_bits = bits_of(type);
  const matrix_descriptor d = decode(bits);
  if (mn < 1) mn = wgmma_rows;
  if (k < 1) k = a_columns(element_bits);
  const operand_tile as_tile{mn, k, element_bits, direction, d.swizzle};

  json out;
  message line;
  line.add(d);
  out.open('{').member("text", std::string(line.chars)).member("hex", expressions::hexadecimal(bits));
  out.key("fields").open('[');
  for (const descriptor_field& f : descriptor_fields(bits, as_tile)) {
    out.open('{').member("name", f.name).member("first_bit", f.first_bit).member("last_bit", f.last_bit);
    out.member("value", static_cast<std::int64_t>(f.value))
        .member("bytes", f.bytes)
        .member("meaning", f.meaning)
        .close('}');
  }
  out.close(']');
  message problem;
  problem.add(check(bits));
  out.member("illegal", std::string(problem.chars));
  const std::string text = canonical_text(d, direction, type, element_bits, mn, k);
  out.member("expression", text);
  shown[1].reset();
  const evaluated drawn = evaluate(text);
  out.member("no_layout", drawn ? std::string() : drawn.problem);
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
  if (!e || !expressions::as_integer(e.result, number)) refuse("a number is expected, as in 0x400 or 1024");
  return number;
}

/// The descriptor of the instruction that reads element `index` of the tile, whose first byte is at `start_text`.
std::string tile_descriptor_json(const subject& s, std::int64_t index, const std::string& start_text) {
  const std::int64_t start = integer_of(start_text);
  if (!s.tile) refuse("only an operand tile has a descriptor; make one with tile(...)");
  const position step = instruction_of(*s.tile), at = element_of_tile(s, index);
  if (const tile_violation broken = check(*s.tile, step.row, step.col); !broken.ok()) refuse(broken);
  const int mn = at.row / step.row * step.row, k = at.col / step.col * step.col;
  matrix_descriptor d = descriptor_at(*s.tile, mn, k);
  if (start < 0 || start >= descriptor_field_end)
    refuse("a start address is 0 to ", descriptor_field_end - 1, ", not ", start);
  if (start % alignment(*s.tile) != 0) {
    refuse("the tile must begin at a multiple of ", alignment(*s.tile), " bytes, not at ", start);
  }
  d.start_bytes += static_cast<unsigned>(start);
  if (const descriptor_violation broken = check(d); !broken.ok()) refuse(broken);
  message line;
  line.add(d);
  json out;
  out.open('{').member("hex", expressions::hexadecimal(encode(d))).member("text", std::string(line.chars));
  out.member("mn", mn).member("k", k).member("mn_extent", step.row).member("k_extent", step.col);
  return out.close('}').text();
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

/// A window of one of the tables: grid, memory, registers, matrix.
const char* explorer_view(int slot, const char* name, double first_row, double first_column, int rows, int columns,
                          int unit, const char* colour, double index) {
  return answered([&] {
    const subject& s = at_slot(slot);
    const window w{static_cast<std::int64_t>(first_row), static_cast<std::int64_t>(first_column), std::max(rows, 1),
                   std::max(columns, 1)};
    const std::string_view view = name;
    const colouring by = colouring_of(colour);
    const auto element = std::clamp<std::int64_t>(static_cast<std::int64_t>(index), 0, size(s.of) - 1);
    if (view == "memory") return memory_json(s, w, unit_bytes(s, unit), by);
    if (view == "matrix" && s.registers) return matrix_json(s, w, by);
    if (view == "registers" && s.tile) return registers_json(s, w, element, by);
    return grid_json(s, w, by);
  });
}

/// All that is known of an element, and its place in each table.
const char* explorer_element(int slot, double index, int unit) {
  return answered([&] {
    const subject& s = at_slot(slot);
    const auto element = static_cast<std::int64_t>(index);
    if (element < 0 || element >= size(s.of)) refuse("there is no element ", element, ": there are ", size(s.of));
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

const char* explorer_descriptor(const char* hex, const char* direction, const char* type, int mn, int k) {
  return answered([&] { return descriptor_json(hex, direction, type, mn, k); });
}

const char* explorer_tile_descriptor(double index, const char* start) {
  return answered([&] { return tile_descriptor_json(at_slot(0), static_cast<std::int64_t>(index), start); });
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
