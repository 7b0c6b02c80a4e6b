#pragma once
// CuTe's notation, read at compile time and at run time: layouts "((8,16),(8,8)):((8,512),(1,64))", shapes and
// coordinates "(4,(2,_))". A static integer may carry CuTe's mark, "_8". A shape without strides, "(4,8)", means its
// compact layout with the leftmost leaf contiguous.

#include <cstddef>
#include <cstdint>

#include <sectile/layouts/layout.hpp>
#include <sectile/layouts/literal_text.hpp>

namespace sectile {

/// What reading a text gave: a value, or where it went wrong and why.
template <class T>
struct parsed {
  T value{};
  int position = 0;               // of the first character that was not understood
  const char* problem = nullptr;  // nullptr when all is well

  constexpr explicit operator bool() const { return problem == nullptr; }
};

/// Reads one text from left to right. The first problem sticks; what is read after it means nothing.
struct reader {
  const char* text = nullptr;
  int length = 0;
  int position = 0;
  const char* problem = nullptr;

  constexpr void fail(const char* why) {
    if (problem == nullptr) problem = why;
  }

  constexpr void skip_spaces() {
    while (position < length && (text[position] == ' ' || text[position] == '\t' || text[position] == '\n')) ++position;
  }

  /// The next character that is not a space, '\0' at the end.
  constexpr char peek() {
    skip_spaces();
    return position < length ? text[position] : '\0';
  }

  /// Takes the next character if it is c.
  constexpr bool accept(char c) {
    if (peek() != c || problem != nullptr || position >= length) return false;
    ++position;
    return true;
  }

  /// Takes the characters of a word if they come right here.
  constexpr bool accept_word(const char* word) {
    int letters = 0;
    for (; word[letters] != '\0'; ++letters)
      if (position + letters >= length || text[position + letters] != word[letters]) return false;
    position += letters;
    return true;
  }

  constexpr bool at_digit() const { return position < length && text[position] >= '0' && text[position] <= '9'; }

  /// A decimal number, perhaps negative, perhaps with CuTe's mark '_' in front.
  constexpr std::int64_t number(const char* otherwise) {
    skip_spaces();
    const int start = position;
    if (position < length && text[position] == '_') ++position;
    const bool negative = position < length && text[position] == '-';
    if (negative) ++position;
    if (!at_digit()) {
      position = start;
      fail(otherwise);
      return 0;
    }
    std::int64_t value = 0;
    while (at_digit() && problem == nullptr) {
      const int digit = text[position] - '0';
      if (value > (INT64_MAX - digit) / 10) {
        position = start;
        fail("the number does not fit 64 bits");
      } else {
        value = value * 10 + digit;
        ++position;
      }
    }
    return negative ? -value : value;
  }

  /// A tuple or a leaf. `wildcards` says whether _ may stand for a leaf.
  constexpr int_tuple tuple(bool wildcards) {
    int_tuple result;
    result.form.leaves = 0;
    int level = 0;
    const char* expected = "expected a number or '('";
    do {
      while (accept('(')) {
        ++level;
        expected = "expected a number or '(' after '('";
        if (result.form.leaves < max_leaves) ++result.form.open[result.form.leaves];
        if (level > max_depth) fail("nested more than 100 deep");
      }
      if (result.form.leaves == max_leaves) fail("more than 24 leaves");
      if (problem != nullptr) return {};
      if (level == 1 && result.form.leaves == 0 && peek() == ')') return empty();
      result.leaf[result.form.leaves++] = leaf(wildcards, expected);
      while (level > 0 && accept(')')) {
        --level;
        ++result.form.close[result.form.leaves - 1];
      }
      expected = "expected a number or '(' after ','";
    } while (level > 0 && accept(','));
    if (level > 0) fail("expected ',' or ')'");
    return problem == nullptr ? result : int_tuple{};
  }

  constexpr int_tuple empty() {
    accept(')');
    int_tuple result;
    result.form.leaves = 0;
    return result;
  }

  constexpr std::int64_t leaf(bool wildcards, const char* expected) {
    const char c = peek();
    const bool marked =
        c == '_' && position + 1 < length && (text[position + 1] == '-' || is_digit(text[position + 1]));
    if (c != '_' || marked) return number(expected);
    if (wildcards) {
      ++position;
    } else {
      fail("'_' is not allowed in a shape or stride");
    }
    return int_tuple::any;
  }

  static constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }

  constexpr void expect_end() {
    if (peek() != '\0' || position < length) fail("expected the end");
  }
};

/// A reader of a whole text. One of 2^31 characters or more is a problem from the start.
constexpr reader reader_of(const char* text, std::size_t length) {
  reader in{text, length <= INT32_MAX ? static_cast<int>(length) : 0};
  if (length > INT32_MAX) in.fail("a text of more than 2^31 - 1 characters");
  return in;
}

constexpr int_tuple read_shape(reader& in) {
  in.skip_spaces();
  const int start = in.position;
  const int_tuple shape = in.tuple(false);
  for (int k = 0; k < shape.form.leaves && in.problem == nullptr; ++k) {
    if (shape.leaf[k] >= 1) continue;
    in.position = start;
    in.fail("every extent must be at least 1");
  }
  return shape;
}
/// shape:stride, or a shape alone. Positions of layouts that are not well formed point at the part at fault.
constexpr layout read_layout(reader& in) {
  const int_tuple shape = read_shape(in);
  if (!in.accept(':')) return in.problem == nullptr ? layout_left(shape) : layout{};
  in.skip_spaces();
  const int stride_start = in.position;
  const int_tuple stride = in.tuple(false);
  if (in.problem == nullptr && shape.form != stride.form) {
    in.position = stride_start;
    in.fail("the stride must have the same parentheses as the shape");
  }
  return in.problem == nullptr ? make_layout(shape, stride) : layout{};
}

/// read(reader) of a whole text.
template <class Read>
constexpr auto read_whole(const char* text, std::size_t length, Read read) {
  reader in = reader_of(text, length);
  const auto value = read(in);
  in.expect_end();
  return parsed<std::remove_const_t<decltype(value)>>{value, in.position, in.problem};
}

/// Reads a layout; never throws for text that is not one (only for sizes that do not fit 64 bits).
constexpr parsed<layout> try_parse_layout(const char* text, std::size_t length) {
  return read_whole(text, length, read_layout);
}

/// Reads a shape, stride or coordinate; _ is allowed.
constexpr parsed<int_tuple> try_parse_tuple(const char* text, std::size_t length) {
  return read_whole(text, length, [](reader& in) { return in.tuple(true); });
}

/// Refuses a text: layout_error "position 7: expected ... in "text"". A long text is quoted around the position.
template <class T>
constexpr T refused_text(int position, const char* problem, const char* text, std::size_t length) {
  constexpr int shown = 36;  // characters on either side
  const int end = static_cast<int>(length < INT32_MAX ? length : INT32_MAX);
  const int first = end > 2 * shown && position > shown ? position - shown : 0;
  const int last = end > 2 * shown && end - position > shown ? position + shown : end;
  message around;
  if (first > 0) around.add("...");
  for (int k = first; k < last; ++k) around.add(text[k]);
  if (last < end) around.add("...");
  throw layout_error("position ", position, ": ", problem, " in \"", around, "\"");
}

/// The value that was read, or the refusal of the text.
template <class T>
constexpr T value_or_refuse(const parsed<T>& result, const char* text, std::size_t length) {
  return result ? result.value : refused_text<T>(result.position, result.problem, text, length);
}

/// The notation of a layout or tuple in a fixed buffer, at compile time or run time: notation(L) == "(4,2):(1,4)".
template <class T>
constexpr message notation(const T& value) {
  message result;
  result.add(value);
  return result;
}

// Literals are read by the compiler. To g++ and nvcc they are templates of their text: g++ repeats the text where a
// call is refused, and both name the position of a mistake in their first line. clang++ 14 crashes where it would print
// such a call; its literals are ordinary functions, which it prints with their text and which it reads where they
// stand, at compile time in constant expressions, at run time elsewhere. (Each refuses its text by itself: clang++
// lists every call on the way to a refusal.)

/// What the compiler says where a literal is not what it should be: the position of the mistake, and why.
template <int Position, literal_text Problem>
struct wrong_at_position {};
struct right_text {
  static constexpr bool understood = true;
};

/// right_text, or what is wrong with what was read.
template <const auto& Read>
constexpr auto verdict_on_text() {
  if constexpr (Read.problem == nullptr) {
    return right_text{};
  } else {
    constexpr auto problem = literal_of([] { return Read.problem; });
    return wrong_at_position<Read.position, problem>{};
  }
}

/// The value of a literal, read once. Does not compile if the text is wrong.
template <auto TryParse, literal_text Text>
struct literal_value {
  static constexpr auto read = TryParse(Text.chars, sizeof(Text.chars) - 1);
  static_assert(decltype(verdict_on_text<read>())::understood);
};

namespace literals {

#if defined(__clang__)
/// "((8,16),(8,8)):((8,512),(1,64))"_layout
constexpr layout operator""_layout(const char* text, std::size_t length) {
  const auto read = try_parse_layout(text, length);
  return read ? read.value : refused_text<layout>(read.position, read.problem, text, length);
}

/// "(4,(2,8))"_shape
constexpr int_tuple operator""_shape(const char* text, std::size_t length) {
  const auto read = try_parse_tuple(text, length);
  return read ? read.value : refused_text<int_tuple>(read.position, read.problem, text, length);
}

/// "(_,3)"_coord
constexpr int_tuple operator""_coord(const char* text, std::size_t length) {
  const auto read = try_parse_tuple(text, length);
  return read ? read.value : refused_text<int_tuple>(read.position, read.problem, text, length);
}
#else
/// "((8,16),(8,8)):((8,512),(1,64))"_layout
template <literal_text Text>
constexpr layout operator""_layout() {
  return literal_value<try_parse_layout, Text>::read.value;
}

/// "(4,(2,8))"_shape
template <literal_text Text>
constexpr int_tuple operator""_shape() {
  return literal_value<try_parse_tuple, Text>::read.value;
}

/// "(_,3)"_coord
template <literal_text Text>
constexpr int_tuple operator""_coord() {
  return literal_value<try_parse_tuple, Text>::read.value;
}
#endif

}  // namespace literals

}  // namespace sectile
