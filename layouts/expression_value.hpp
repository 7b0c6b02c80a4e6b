#pragma once
// The values of the expression language (expression.hpp): what kinds there are, how each is called in a sentence, how
// it is printed, and which become others where a function asks for them.

#include <cstdint>
#include <optional>
#include <string>
#include <type_traits>
#include <variant>

#include <sectile/layouts/coordinate_algebra.hpp>
#include <sectile/layouts/descriptor_text.hpp>
#include <sectile/layouts/element.hpp>
#include <sectile/layouts/operand_tile_layout.hpp>
#include <sectile/layouts/text.hpp>

namespace sectile::expressions {

/// 64 bits that are written in hexadecimal. An integer where one is asked for and they fit.
struct word {
  std::uint64_t bits = 0;

  friend constexpr bool operator==(const word&, const word&) = default;
};

/// An operand tile, and the type of its elements if it was made with one and not just their bits.
struct typed_tile : operand_tile {
  std::optional<element> type;
};

/// What an expression may be. A tuple is never a lone number: that is an integer. (A lone _ is a tuple.)
using value = std::variant<std::int64_t, bool, word, int_tuple, layout, swizzled_layout, swizzle, tiler, typed_tile,
                           matrix_descriptor, element, major, swizzle_mode, coordinate_layout>;

/// What a kind is called, in the order of the variant.
inline const char* kind_name(const value& v) {
  constexpr const char* names[] = {"an integer",      "true or false",          "a 64-bit word",   "a tuple",
                                   "a layout",        "a swizzled layout",      "a swizzle",       "a tiler",
                                   "an operand tile", "a descriptor",           "an element type", "a direction",
                                   "a swizzle mode",  "a layout of coordinates"};
  static_assert(sizeof(names) / sizeof(*names) == std::variant_size_v<value>);
  return names[v.index()];
}

/// A tuple as a value: a lone number is an integer.
inline value value_of(const int_tuple& t) {
  const bool number = !is_tuple(t.form) && t.leaf[0] != int_tuple::any;
  return number ? value(t.leaf[0]) : value(t);
}

/// A mode by its name in the language.
inline const char* mode_word(swizzle_mode mode) {
  constexpr const char* names[] = {"none", "b32", "b64", "b128"};
  return names[static_cast<int>(mode)];
}

/// "0x" and as few digits as it takes.
inline std::string hexadecimal(std::uint64_t bits) {
  int digits = 1;
  while (digits < 16 && bits >> (4 * digits) != 0) ++digits;
  message text;
  print_hexadecimal(text, bits, digits);
  return text.chars;
}

/// A swizzled layout, without a swizzle that does nothing.
inline std::string shortest_text(const swizzled_layout& l) {
  return l.pattern.bits == 0 && l.offset == 0 ? to_string(l.inner) : to_string(l);
}

/// The value in the notation that the language reads, except descriptors, which are a line of words, and steps along a
/// part of a dimension, 1@1@0.
inline std::string to_text(const value& v) {
  return std::visit(
      [](const auto& x) -> std::string {
        using kind = std::remove_cvref_t<decltype(x)>;
        if constexpr (std::is_same_v<kind, bool>)
          return x ? "true" : "false";
        else if constexpr (std::is_same_v<kind, std::int64_t>)
          return std::to_string(x);
        else if constexpr (std::is_same_v<kind, word>)
          return hexadecimal(x.bits);
        else if constexpr (std::is_same_v<kind, swizzled_layout>)
          return shortest_text(x);
        else if constexpr (std::is_same_v<kind, typed_tile>)
          return shortest_text(tile_layout(x));
        else if constexpr (std::is_same_v<kind, element>)
          return x.name;
        else if constexpr (std::is_same_v<kind, major>)
          return x == major::k ? "k" : "mn";
        else if constexpr (std::is_same_v<kind, swizzle_mode>)
          return mode_word(x);
        else
          return to_string(x);
      },
      v);
}

/// Writes the integer that v stands for: a number, a word below 2^63, a tuple of one number.
inline bool as_integer(const value& v, std::int64_t& to) {
  if (const auto* number = std::get_if<std::int64_t>(&v)) return to = *number, true;
  if (const auto* bits = std::get_if<word>(&v)) {
    to = static_cast<std::int64_t>(bits->bits);
    return bits->bits <= INT64_MAX;
  }
  const auto* t = std::get_if<int_tuple>(&v);
  if (t == nullptr || t->form.leaves != 1 || t->leaf[0] == int_tuple::any) return false;
  to = t->leaf[0];
  return true;
}

/// Writes the tuple that v stands for: a tuple, or a number.
inline bool as_tuple(const value& v, int_tuple& to) {
  if (const auto* t = std::get_if<int_tuple>(&v)) return to = *t, true;
  std::int64_t number = 0;
  if (!as_integer(v, number) || number == int_tuple::any) return false;
  to = number;
  return true;
}

/// Writes the layout that v stands for: a layout, a swizzled one whose swizzle does nothing, or a shape, which means
/// its compact layout with the leftmost mode contiguous. Refuses what is no shape.
inline bool as_layout(const value& v, layout& to) {
  if (const auto* l = std::get_if<layout>(&v)) return to = *l, true;
  if (const auto* l = std::get_if<swizzled_layout>(&v)) {
    to = l->inner;
    return l->pattern.bits == 0 && l->offset == 0;
  }
  if (const auto* t = std::get_if<typed_tile>(&v)) return as_layout(tile_layout(*t), to);
  int_tuple shape;
  if (!as_tuple(v, shape)) return false;
  to = layout_left(shape);
  return true;
}

/// Writes the swizzled layout that v stands for: one, a layout, a shape or an operand tile.
inline bool as_swizzled(const value& v, swizzled_layout& to) {
  if (const auto* l = std::get_if<swizzled_layout>(&v)) return to = *l, true;
  if (const auto* t = std::get_if<typed_tile>(&v)) return to = tile_layout(*t), true;
  layout plain;
  if (!as_layout(v, plain)) return false;
  to = {swizzle{0, 4, 3}, 0, plain};
  return true;
}

/// Whether v is, or holds, a layout behind a swizzle that does something.
inline bool is_swizzled(const value& v) {
  if (const auto* l = std::get_if<swizzled_layout>(&v)) return l->pattern.bits > 0 || l->offset != 0;
  const auto* t = std::get_if<typed_tile>(&v);
  return t != nullptr && t->swizzle != swizzle_mode::none;
}

/// Writes the tiler that v stands for: a tiler, a layout, or a shape by modes.
inline bool as_tiler(const value& v, tiler& to) {
  if (const auto* t = std::get_if<tiler>(&v)) return to = *t, true;
  int_tuple shape;
  if (as_tuple(v, shape)) {
    for (int k = 0; k < shape.form.leaves; ++k) {
      if (shape.leaf[k] < 1 && shape.leaf[k] != int_tuple::any)
        throw layout_error("tiler ", shape, ": every extent must be at least 1");
    }
    return to = tiler(shape), true;
  }
  layout plain;
  if (is_swizzled(v) || !as_layout(v, plain)) return false;
  to = plain;
  return true;
}

/// Whether v is a layout of some kind, and not just a shape.
inline bool is_layout(const value& v) {
  return std::holds_alternative<layout>(v) || std::holds_alternative<swizzled_layout>(v) ||
         std::holds_alternative<typed_tile>(v);
}

/// Whether two values are the same, layouts swizzled or not; nothing if they cannot be compared.
inline std::optional<bool> same_value(const value& a, const value& b) {
  std::int64_t m = 0, n = 0;
  if (a.index() != b.index() && as_integer(a, m) && as_integer(b, n)) return m == n;
  swizzled_layout left, right;
  if (is_layout(a) && is_layout(b) && as_swizzled(a, left) && as_swizzled(b, right)) {
    return is_swizzled(a) || is_swizzled(b) ? left == right : left.inner == right.inner;
  }
  if (a.index() != b.index()) return std::nullopt;
  return a == b;
}

}  // namespace sectile::expressions
