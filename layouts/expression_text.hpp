#pragma once
// The words, signs and numbers of which an expression is made, taken from its text one by one.

#include <string>
#include <string_view>

#include <sectile/layouts/expression_arguments.hpp>

namespace sectile::expressions {

inline constexpr std::size_t longest_text = 4096;

/// An operator of integers, and how tight it binds.
struct integer_operator {
  std::string_view sign;
  int tightness;
};

/// a (sign) b, where it may be the least number of 64 bits. Refuses the rest of what apply() does.
inline std::int64_t apply_unbounded(std::string_view sign, std::int64_t a, std::int64_t b) {
  if (sign == "+") return checked_add(a, b);
  if (sign == "-") return checked_add(a, -b);
  if (sign == "*") return checked_multiply(a, b);
  if (sign == "&") return a & b;
  if (sign == "|") return a | b;
  if (sign == "^") return a ^ b;
  if (sign == "/" || sign == "%") {
    if (b == 0) throw layout_error("division of ", a, " by 0");
    return sign == "/" ? a / b : a % b;
  }
  if (b < 0 || b > 62) throw layout_error("a shift by ", b, " bits; it must be 0 to 62");
  return sign == ">>" ? a >> b : checked_multiply(a, std::int64_t{1} << b);
}

/// a (sign) b. Refuses what does not fit 64 bits, the least number of 64 bits, which stands for _, division by zero,
/// and shifts by more than 62 bits.
inline std::int64_t apply(std::string_view sign, std::int64_t a, std::int64_t b) {
  const std::int64_t result = apply_unbounded(sign, a, b);
  if (result == int_tuple::any)
    throw layout_error(a, " ", std::string(sign).c_str(), " ", b, " is ", result, "; the least integer here is ",
                       result + 1);
  return result;
}

/// A text and how far it is read. What is wrong is thrown as misuse.
class expression_text {
 public:
  explicit expression_text(std::string_view text) : text_(text), in_(reader_of(text.data(), text.size())) {}

  /// Where the next word or sign begins.
  int position() {
    in_.skip_spaces();
    return in_.position;
  }

  [[noreturn]] void fail(const std::string& why) { throw misuse{position(), why}; }

  char peek() { return in_.peek(); }
  bool at_end() { return position() >= in_.length; }

  /// Takes a sign if it comes next.
  bool accept(std::string_view sign) {
    if (!comes(sign)) return false;
    in_.position += static_cast<int>(sign.size());
    return true;
  }

  /// Whether a sign comes next.
  bool comes(std::string_view sign) { return text_.substr(static_cast<std::size_t>(position()), sign.size()) == sign; }

  /// Takes a word if it comes next, whole.
  bool accept_word(std::string_view word) { return next_word() == word && accept(word); }

  /// The word that comes next, "" if none does. It begins with a letter and goes on with letters, digits and _.
  std::string_view next_word() {
    int end = position();
    if (!is_letter(at(end))) return "";
    while (is_letter(at(end)) || is_digit(at(end)) || at(end) == '_') ++end;
    return text_.substr(static_cast<std::size_t>(in_.position), static_cast<std::size_t>(end - in_.position));
  }

  /// Whether _ comes next and is no mark of a number, as in _8 and _-8.
  bool at_wildcard() {
    if (peek() != '_') return false;
    return !is_digit(at(in_.position + 1)) && !(at(in_.position + 1) == '-' && is_digit(at(in_.position + 2)));
  }

  /// Whether a number comes next, perhaps with a sign or a mark.
  bool at_number() {
    const char c = peek();
    return is_digit(c) || (c == '-' && is_digit(at(in_.position + 1))) || (c == '_' && !at_wildcard());
  }

  bool at_hexadecimal() { return peek() == '0' && (at(in_.position + 1) == 'x' || at(in_.position + 1) == 'X'); }

  /// Takes a decimal number.
  std::int64_t number() {
    const std::int64_t result = in_.number("expected a number or '('");
    if (in_.problem != nullptr) fail(in_.problem);
    if (is_letter(at(in_.position))) throw misuse{in_.position, "expected the number to end"};
    return result;
  }

  /// Takes 0x and hexadecimal digits.
  word hexadecimal() {
    const int start = position();
    in_.position += 2;
    word result;
    const int first = in_.position;
    for (int digit = 0; (digit = digit_of(at(in_.position))) >= 0; ++in_.position) {
      if (result.bits >> 60 != 0) throw misuse{start, "the number does not fit 64 bits"};
      result.bits = result.bits << 4 | static_cast<std::uint64_t>(digit);
    }
    if (in_.position == first || is_letter(at(in_.position)))
      throw misuse{in_.position, "expected a hexadecimal digit"};
    return result;
  }

  /// Takes what CuTe prints in front of a tensor's layout, smem_ptr[16b](0x400) o: where it lies is nobody's matter
  /// here.
  void skip_pointer() {
    reader ahead = in_;
    const bool pointer = read_pointer(ahead) > 0;
    if (ahead.problem != nullptr) in_ = ahead, fail(in_.problem);
    if (!pointer) return;
    in_ = ahead;
    if (!accept_word("o")) fail("expected 'o' and a layout behind the pointer");
  }

  /// Whether steps come next, (1@0,1@1), and not strides.
  bool at_steps() {
    int depth = 0;
    for (int i = position(); i < in_.length && depth >= 0; ++i) {
      const char c = at(i);
      if (c == '@') return true;
      if (!is_digit(c) && !is_space(c) && std::string_view("_-+,()").find(c) == std::string_view::npos) return false;
      if (c == ',' && depth == 0) return false;
      depth += c == '(' ? 1 : c == ')' ? -1 : 0;
    }
    return false;
  }

  /// Takes the steps of a layout of coordinates.
  coordinate_layout steps_of(const int_tuple& shape) {
    const coordinate_layout result = detail::read_coordinates(in_, shape, 1);
    if (in_.problem != nullptr) fail(in_.problem);
    return result;
  }

  /// Whether Sw<, or S<, comes next.
  bool at_swizzle() { return comes("Sw<") || comes("S<"); }

  /// Takes Sw<bits,base,shift>, and the pointer that CuTe prints behind it, which says what the swizzle counts:
  /// Sw<3,4,3> o smem_ptr[16b](unset) is Sw<3,3,3>, and so is Sw<3,4,3>_smem_ptr[16b](0x400), a pointer with a swizzle.
  swizzle swizzle_literal() {
    swizzle result = read_swizzle(in_);
    reader ahead = in_;
    if (in_.problem == nullptr && (ahead.accept('_') || ahead.accept('o'))) {
      const int bits = read_pointer(ahead);
      if (bits > 0) result = in_elements(ahead, result, bits);
      if (bits > 0 || ahead.problem != nullptr) in_ = ahead;
    }
    if (in_.problem != nullptr) fail(in_.problem);
    return result;
  }

  /// The operator that comes next if it binds at least as tight as `loosest`, else nullptr.
  const integer_operator* next_operator(int loosest) {
    static constexpr integer_operator operators[] = {{"|", 1}, {"^", 2}, {"&", 3}, {"<<", 4}, {">>", 4},
                                                     {"+", 5}, {"-", 5}, {"*", 6}, {"/", 6},  {"%", 6}};
    for (const integer_operator& o : operators) {
      if (o.tightness >= loosest && comes(o.sign)) return &o;
    }
    return nullptr;
  }

  /// What is missing where an operand should stand, and after which sign.
  std::string expected_operand() {
    int before = position();
    while (before > 0 && is_space(at(before - 1))) --before;
    const std::string expected = "expected a number or '('";
    return before == 0 ? expected : expected + " after '" + at(before - 1) + "'";
  }

 private:
  static bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
  static bool is_digit(char c) { return c >= '0' && c <= '9'; }
  static bool is_space(char c) { return c == ' ' || c == '\t' || c == '\n'; }

  static int digit_of(char c) {
    if (is_digit(c)) return c - '0';
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
  }

  char at(int i) const { return i >= 0 && i < in_.length ? text_[static_cast<std::size_t>(i)] : '\0'; }

  std::string_view text_;
  reader in_;
};

}  // namespace sectile::expressions
