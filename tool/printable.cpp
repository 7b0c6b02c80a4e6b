#include "tool/printable.hpp"

#include <fmt/format.h>

#include <cstdint>

namespace sectile::tool {
namespace {

/// One character of UTF-8; of a byte that begins none, that byte, and bytes = 0.
struct character {
  std::uint32_t code = 0;
  std::size_t bytes = 0;
};

character first_character(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<std::uint32_t>(static_cast<unsigned char>(text[i])); };
  const std::uint32_t lead = byte(0);
  if (lead < 0x80) return {lead, 1};
  const std::size_t bytes = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
  if (lead < 0xC2 || lead > 0xF4 || text.size() < bytes) return {lead, 0};
  std::uint32_t code = lead & (0x7FU >> bytes);
  for (std::size_t i = 1; i < bytes; ++i) {
    if ((byte(i) & 0xC0) != 0x80) return {lead, 0};
    code = code << 6 | (byte(i) & 0x3F);
  }
  constexpr std::uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};  // a longer spelling than need be is none
  const bool is_half_of_a_pair = code >= 0xD800 && code <= 0xDFFF;
  return code < least[bytes] || code > 0x10FFFF || is_half_of_a_pair ? character{lead, 0} : character{code, bytes};
}

/// Whether a terminal obeys the character, or shows what is beside it in another order, or breaks the line.
bool upsets(std::uint32_t code) {
  const auto within = [&](std::uint32_t from, std::uint32_t to) { return code >= from && code <= to; };
  return code < ' ' || within(0x7F, 0x9F) || within(0x200B, 0x200F) || within(0x2028, 0x202E) ||
         within(0x2066, 0x2069) || code == 0xFEFF;
}

std::string escaped(character c) {
  if (c.code == '\n') return "\\n";
  if (c.code == '\t') return "\\t";
  if (c.code == '\r') return "\\r";
  return c.code < 0x100 ? fmt::format("\\x{:02x}", c.code) : fmt::format("\\u{:04x}", c.code);
}

std::string shown(std::string_view text, bool keeps_lines) {
  std::string plain;
  while (!text.empty()) {
    const character c = first_character(text);
    const std::size_t bytes = c.bytes == 0 ? 1 : c.bytes;
    const bool stays = c.bytes > 0 && (!upsets(c.code) || (keeps_lines && c.code == '\n'));
    plain += stays ? std::string(text.substr(0, bytes)) : escaped(c);
    text.remove_prefix(bytes);
  }
  return plain;
}

}  // namespace

std::string printable(std::string_view text) { return shown(text, false); }
std::string printable_lines(std::string_view text) { return shown(text, true); }

}  // namespace sectile::tool
