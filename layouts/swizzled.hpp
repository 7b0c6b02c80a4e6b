#pragma once
// Swizzled layouts: first a layout, then an offset, then a swizzle. The swizzle permutes memory, not coordinates, so
// shape and coordinates are those of the layout inside. What the algebra does with them is in swizzled_algebra.hpp.

#include <initializer_list>

#include <sectile/layouts/modes.hpp>
#include <sectile/layouts/notation.hpp>
#include <sectile/layouts/swizzle_numbers.hpp>

namespace sectile {

/// coordinate -> pattern(offset + inner(coordinate)). offset + inner(...) is never negative.
struct swizzled_layout {
  swizzle pattern{0, 4, 3};
  std::int64_t offset = 0;
  layout inner;

  /// Offset of an index, of one index per mode, or of a coordinate: as for the layout inside, with its refusals.
  constexpr std::int64_t operator()(const auto&... coordinate) const { return pattern(offset + inner(coordinate...)); }

  /// The same, and a refusal of what is no coordinate of the layout inside, at run time too.
  constexpr std::int64_t at(const auto&... coordinate) const { return pattern(offset + inner.at(coordinate...)); }

  friend constexpr bool operator==(const swizzled_layout&, const swizzled_layout&) = default;
};

/// The checked way to make one. Refuses an invalid swizzle, strides and offset that lead below 0, and offsets that do
/// not fit 64 bits.
constexpr swizzled_layout with_swizzle(const layout& l, swizzle s, std::int64_t offset = 0) {
  make_swizzle(s.bits, s.base, s.shift);
  checked_layout(l);
  std::int64_t lowest = offset;
  for (int k = 0; k < l.form.leaves; ++k) {
    if (l.leaf[k].stride < 0) lowest = checked_add(lowest, (l.leaf[k].shape - 1) * l.leaf[k].stride);
  }
  if (lowest < 0)
    throw layout_error("swizzle ", s, " behind ", l, ": the lowest offset is ", lowest, ", which has no bits to swap");
  if (!sum_fits(lowest, cosize(l)))
    throw layout_error("swizzle ", s, " behind ", l, " and ", offset, ": offsets do not fit 64 bits");
  return {s, offset, l};
}

/// Those of the layout inside: a swizzle moves offsets, not coordinates.
constexpr std::int64_t size(const swizzled_layout& l) { return size(l.inner); }
constexpr int rank(const swizzled_layout& l) { return rank(l.inner); }
constexpr int depth(const swizzled_layout& l) { return depth(l.inner); }
constexpr int_tuple shape(const swizzled_layout& l) { return shape(l.inner); }

/// Mode i under the same swizzle and offset.
constexpr swizzled_layout mode(const swizzled_layout& l, int i) { return {l.pattern, l.offset, mode(l.inner, i)}; }

/// A search for the largest offset behind a swizzle among the offsets before it that are at least `from`.
struct largest_offset {
  static constexpr int most_visits = 1 << 20;

  swizzle pattern;
  axis axes[max_leaves] = {};  // strides > 0
  int count = 0;
  std::int64_t from = 0;
  std::int64_t largest = 0;
  int visits = 0;

  /// Looks at x + (any coordinates of the axes below k), which lead at most `reach` up. False if that is too much.
  constexpr bool visit(int k, std::int64_t x, std::int64_t reach) {
    if (++visits > most_visits) return false;
    if (k == 0) {
      if (pattern(x) > largest) largest = pattern(x);
      return true;
    }
    const auto [extent, step] = axes[k - 1];
    reach -= (extent - 1) * step;
    for (std::int64_t c = extent - 1; c >= 0 && x + c * step + reach >= from; --c) {
      if (!visit(k - 1, x + c * step, reach)) return false;
    }
    return true;
  }
};

/// The largest offset + 1. (Without a swizzle and an offset it is the cosize of the layout, which may go below 0.) A
/// swizzle keeps offsets within their block of target_mask() + 1 offsets or fewer, so only the last block is looked at.
/// Refuses a block in which more than about 10^6 coordinates lie.
constexpr std::int64_t cosize(const swizzled_layout& l) {
  if (l.pattern.bits == 0 && l.offset == 0) return cosize(l.inner);
  largest_offset search{l.pattern};
  std::int64_t lowest = l.offset;
  std::int64_t reach = 0;
  for (int k = 0; k < l.inner.form.leaves; ++k) {
    auto [extent, step] = l.inner.leaf[k];
    if (step < 0) {
      step = -step;
      lowest -= (extent - 1) * step;
    }
    if (extent == 1 || step == 0) continue;
    search.axes[search.count++] = {extent, step};
    reach += (extent - 1) * step;
  }
  std::int64_t block = 1;
  while (block <= l.pattern.target_mask()) block *= 2;
  search.from = (lowest + reach) / block * block;
  if (!search.visit(search.count, lowest, reach)) {
    throw layout_error("cosize of ", l, " is refused: its swizzle permutes blocks of ", block,
                       " offsets, too many to look at");
  }
  return checked_add(search.largest, 1);
}

/// Prints as CuTe does: Sw<3,4,3> o 0 o (8,8):(8,1).
constexpr void print(message& to, const swizzled_layout& l) {
  to.add(l.pattern).add(" o ").add(l.offset).add(" o ").add(l.inner);
}

/// Sw<bits,base,shift>
constexpr swizzle read_swizzle(reader& in) {
  const char* expected = "expected a number in Sw<bits,base,shift>";
  in.skip_spaces();
  const int start = in.position;
  std::int64_t number[3] = {};
  bool opened = in.accept('S');
  in.accept('w');
  opened = in.accept('<') && opened;
  if (!opened) in.fail("expected Sw<bits,base,shift>");
  for (int k = 0; k < 3; ++k) {
    if (k > 0 && !in.accept(',')) in.fail("expected ',' in Sw<bits,base,shift>");
    number[k] = in.problem == nullptr ? in.number(expected) : 0;
    if (number[k] < -63 || number[k] > 63) in.fail("a swizzle's bits, base and shift are below 64");
  }
  if (!in.accept('>')) in.fail("expected '>'");
  const swizzle result{static_cast<int>(number[0]), static_cast<int>(number[1]), static_cast<int>(number[2])};
  if (in.problem == nullptr && !is_valid(result)) {
    in.position = start;
    in.fail("a swizzle needs |shift| >= bits >= 0, base >= 0 and bits + base + |shift| < 63");
  }
  return in.problem == nullptr ? result : swizzle{};
}

/// smem_ptr[16b](unset), as CuTe prints the pointer between a swizzle and a layout, or in front of a tensor's layout,
/// there also ptr[16b](0x7f00), gmem_ptr and rmem_ptr: 16, or 0 if none comes next. What stands in the parentheses, an
/// address or a word, is passed over.
constexpr int read_pointer(reader& in) {
  in.skip_spaces();
  const int before = in.position;
  for (const char* memory : {"smem_", "gmem_", "rmem_"})
    if (in.accept_word(memory)) break;
  if (!in.accept_word("ptr[")) return in.position = before, 0;
  const int start = in.position;
  const std::int64_t bits = in.number("expected the bits of an element, as in smem_ptr[16b](unset)");
  if (!in.accept('b') || !in.accept(']') || !in.accept('(')) in.fail("expected smem_ptr[16b](unset)");
  while (in.problem == nullptr && in.peek() != ')' && in.peek() != '\0') ++in.position;
  if (!in.accept(')')) in.fail("expected ')' behind smem_ptr[16b](unset");
  if (in.problem == nullptr && (bits < 1 || bits > 128 || (bits & (bits - 1)) != 0)) {
    in.position = start;
    in.fail("an element behind a pointer has 1, 2, 4, ... or 128 bits");
  }
  return in.problem == nullptr ? static_cast<int>(bits) : 0;
}

/// The swizzle of a pasted layout, which CuTe says of bytes, in elements of so many bits.
constexpr swizzle in_elements(reader& in, swizzle of_bytes, int element_bits) {
  if (of_bytes.bits == 0 || of_bytes.base + 3 >= exact_log2(element_bits)) return recast(of_bytes, 8, element_bits);
  in.fail("the swizzle takes elements of this size apart");
  return of_bytes;
}

/// "Sw<3,4,3> o 0 o (8,8):(8,1)", "Sw<3,4,3> o (8,8):(8,1)", or a plain layout, which gets the swizzle <0,4,3>. And
/// what CuTe prints: "Sw<3,4,3> o smem_ptr[16b](unset) o (_8,_64):(_64,_1)", whose swizzle counts bytes; it is read as
/// one of elements, as the layout is.
constexpr swizzled_layout read_swizzled_layout(reader& in) {
  if (in.peek() != 'S') return {swizzle{0, 4, 3}, 0, read_layout(in)};
  swizzled_layout result;
  result.pattern = read_swizzle(in);
  if (!in.accept('o')) in.fail("expected 'o' after the swizzle");
  if (in.problem != nullptr) return result;
  if (const int bits = read_pointer(in); bits > 0) {
    result.pattern = in_elements(in, result.pattern, bits);
    if (!in.accept('o')) in.fail("expected 'o' after the pointer");
  }
  if (in.problem != nullptr) return result;
  const reader before = in;
  const int_tuple first = in.tuple(false);
  if (!is_tuple(first.form) && in.accept('o')) {
    if (first.leaf[0] < 0) in.fail("the offset before a swizzle must not be negative");
    result.offset = first.leaf[0];
  } else {
    in = before;
  }
  if (in.problem != nullptr) return result;
  result.inner = read_layout(in);
  return in.problem == nullptr ? with_swizzle(result.inner, result.pattern, result.offset) : result;
}

/// Reads a swizzled or plain layout.
constexpr parsed<swizzled_layout> try_parse_swizzled(const char* text, std::size_t length) {
  return read_whole(text, length, read_swizzled_layout);
}

namespace literals {

/// "Sw<3,4,3> o (8,8):(8,1)"_swizzled
#if defined(__clang__)
constexpr swizzled_layout operator""_swizzled(const char* text, std::size_t length) {
  const auto read = try_parse_swizzled(text, length);
  return read ? read.value : refused_text<swizzled_layout>(read.position, read.problem, text, length);
}
#else
template <literal_text Text>
constexpr swizzled_layout operator""_swizzled() {
  return literal_value<try_parse_swizzled, Text>::read.value;
}
#endif

}  // namespace literals

}  // namespace sectile
