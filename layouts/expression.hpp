#pragma once
// Expressions of the layout algebra, read and evaluated at run time, in CuTe's notation:
//
//   (4,8):(8,1)                             a layout; a shape alone, (4,8), means its compact one, leftmost contiguous
//   Sw<3,4,3> o (8,64):(64,1)               a swizzled layout; with an offset, Sw<3,4,3> o 16 o ...
//   Sw<3,4,3> o smem_ptr[16b](unset) o ...  the same as CuTe prints it, with a swizzle of bytes
//   ptr[16b](0x400) o ..., smem_ptr, gmem_ptr  a tensor as CuTe prints it: its layout
//   (8,4):(1@0,1@1)                         a layout of coordinates; from another origin, (0,16) o ...; A(1,2) is (1,2)
//   composition(A, B), A o B                any function of layouts/ by its name; `o` is composition, from the right
//   A(5), A(1,2), A((1,0),2), A(_,2)        offset of a coordinate; with _ the slice
//   <4:2,_,(2,4)>                           a tiler, where a function takes one; there a shape means its modes
//   tile(bf16, 128, 64, k, b128)            an operand tile of wgmma as it lies in shared memory
//   2*(3+4) ^ 0x10, A == B, A != B          integers, and comparison
//   let A = (4,8):(8,1); coalesce(A)        names
//
// (4) and ((2,3)) are tuples of one mode, as in CuTe; parentheses around anything but a tuple or its number only group.
// Every rule is that of the function called, and so is every refusal. There is no text for which evaluate() crashes,
// hangs or throws.

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <sectile/layouts/expression_names.hpp>
#include <sectile/layouts/expression_reader.hpp>

namespace sectile {

/// What an expression gave: a value, or why it has none and the position of the first character at fault.
struct evaluated {
  expressions::value result = std::int64_t{0};
  std::string problem;
  int position = 0;
  bool refused = false;  ///< the problem is not the text: a function of layouts/ refused, in these words

  explicit operator bool() const { return problem.empty(); }
};

/// Evaluates a text. Never throws but for memory.
inline evaluated evaluate(std::string_view text) {
  if (text.size() > expressions::longest_text) {
    return {{},
            "the expression has " + std::to_string(text.size()) + " characters; it may have " +
                std::to_string(expressions::longest_text)};
  }
  try {
    return {expressions::expression_reader(text).program(), ""};
  } catch (const expressions::misuse& wrong) {
    return {{}, wrong.why, wrong.position, wrong.refused};
  }
}

/// The value in the language's own notation, e.g. "((2,2),3):((24,2),8)", "32" or "true".
inline std::string to_string(const evaluated& e) { return e.problem.empty() ? to_text(e.result) : e.problem; }

/// Two lines: the line at fault, and a caret under the place. A long line is cut around the place.
inline std::string caret_under(std::string_view text, int position) {
  constexpr std::size_t shown = 60;  // bytes on either side
  const auto at = std::min(static_cast<std::size_t>(position), text.size());
  std::size_t begin = at == 0 ? 0 : text.rfind('\n', at - 1) + 1;
  std::size_t end = std::min(text.find('\n', at), text.size());
  const auto continues = [text](std::size_t i) {  // a character of several bytes
    return i < text.size() && (static_cast<unsigned char>(text[i]) & 0xC0) == 0x80;
  };
  const bool long_line = end - begin > 2 * shown, cut_left = long_line && at - begin > shown;
  const bool cut_right = long_line && end - at > shown;
  if (cut_left) begin = at - shown;
  if (cut_right) end = at + shown;
  while (cut_left && continues(begin)) ++begin;
  while (cut_right && continues(end)) ++end;
  std::string line = cut_left ? "..." : "", under = cut_left ? "   " : "";
  for (std::size_t i = begin; i < end; ++i) {
    line += static_cast<unsigned char>(text[i]) < ' ' ? ' ' : text[i];
    if (i < at && !continues(i)) under += ' ';
  }
  return "  " + line + (cut_right ? "..." : "") + "\n  " + under + "^";
}

/// What is wrong, for a person: "position 13: expected ',' or ')'" and a caret under the place; of a refusal the words
/// alone, or with the caret where it is not the whole expression that is refused. Precondition: e has no value.
inline std::string explained(std::string_view text, const evaluated& e) {
  if (e.refused && e.position == 0) return e.problem;
  const std::string place = e.refused ? "" : "position " + std::to_string(e.position) + ": ";
  return place + e.problem + "\n" + caret_under(text, e.position);
}

}  // namespace sectile
