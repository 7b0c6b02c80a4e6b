// Layout notation: whatever text is accepted is printed and read back as the same value, and evaluates as its numbers
// say; whatever is not accepted has a position and a problem. No input may crash, hang or wrap.

#include <sectile/layouts/layouts.hpp>
#include <sectile/layouts/text.hpp>

#include "../brute_force.hpp"
#include "target.hpp"

using namespace sectile;
using sectile_fuzz::expect;

namespace {

/// Reads, prints, reads again. Nothing where the text is refused.
template <class T>
std::optional<T> read_twice(parsed<T> (*read)(const char*, std::size_t), const std::string& text) {
  try {
    const parsed<T> first = read(text.data(), text.size());
    expect(first.position >= 0 && first.position <= static_cast<int>(text.size()), "the position lies in the text",
           text);
    if (!first) {
      expect(first.problem[0] != '\0', "a problem has words", text);
      return std::nullopt;
    }
    const message printed = notation(first.value);
    expect(printed.complete(), "a value is printed whole", text);
    const parsed<T> second = read(printed.chars, static_cast<std::size_t>(printed.length));
    expect(second && second.value == first.value, "what is printed is read back", printed.chars);
    expect(notation(second.value) == printed.chars, "and printed alike", printed.chars);
    return first.value;
  } catch (const layout_error& why) {
    expect(std::string(why.what()).size() > 20, "a refusal is a sentence", why.what());
    return std::nullopt;
  }
}

void evaluate(const layout& l, const std::string& text) {
  if (l.form.leaves == 0) return;  // () has no coordinate
  const std::int64_t n = size(l);
  for (const std::int64_t i : {std::int64_t{0}, n / 2, n - 1}) {
    expect(l(i) == sectile_fuzz::at(l, i), "an offset is the sum of its strides", text);
    expect(coalesce(l)(i) == l(i), "coalesce keeps the function", text);
    expect(crd2idx(idx2crd(i, shape(l)), l) == l(i), "coordinates and indices agree", text);
  }
  const auto [low, high] = sectile_fuzz::range_of(l);
  expect(cosize(l) == high - low + 1, "cosize counts from the lowest offset to the highest", text);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  if (const auto l = read_twice<layout>(try_parse_layout, text)) evaluate(*l, text);
  read_twice<int_tuple>(try_parse_tuple, text);
  if (const auto l = read_twice<swizzled_layout>(try_parse_swizzled, text)) {
    expect((*l)(0) == l->pattern(l->offset), "the first offset behind a swizzle", text);
    evaluate(l->inner, text);
  }
  return 0;
}
