#pragma once
// What a check of a layout found, as a value: nothing, or one sentence with its numbers. It may be looked at in a
// program (found.ok(), found.says), and be asserted where it is made:
//
//   static_assert(st::holds<st::compare(mine, theirs)>);
//
// which does not compile if something was found, and whose error is the sentence (g++), or the rule and its numbers
// (clang++ and nvcc, which would spell a sentence letter by letter).

#include <concepts>
#include <cstdint>
#include <type_traits>
#include <utility>

#include <sectile/layouts/literal_text.hpp>
#include <sectile/layouts/message.hpp>

namespace sectile {

/// What can be wrong. What the numbers of a finding mean stands beside each; clang++ and nvcc print both.
enum class check_rule : std::uint8_t {
  holds,
  layouts_differ,              ///< the first index where they do, both offsets
  sizes_differ,                ///< both sizes
  tile_is_not_a_multiple,      ///< mode, extent of the tile, extent of what should divide it
  sums_differ_in_length,       ///< K of A, K of B
  wgmma_cannot_read_it,        ///< bits of an element, extents of the instruction
  swizzles_differ,             ///< bits, base and shift of both
  tma_cannot_write_it,         ///< bits of an element
  bytes_differ,                ///< what is expected, what is copied
  shared_memory_is_too_small,  ///< bytes that are wanted, bytes that there are
  elements_are_left_out,       ///< the first element without a place, how many there are
  elements_are_doubled,        ///< an element, how many times it is held
  banks_conflict,              ///< degree, bank, pass
};

/// A rule that is broken, the sentence that says so, and the numbers in it that tell most.
struct finding {
  static constexpr int capacity = 384;

  check_rule rule = check_rule::holds;
  char says[capacity] = {};
  int numbers = 0;
  std::int64_t number[8] = {};

  constexpr bool ok() const { return rule == check_rule::holds; }
  constexpr explicit operator bool() const { return ok(); }

  /// The same with more numbers.
  constexpr finding with(std::convertible_to<std::int64_t> auto... more) const {
    finding result = *this;
    for (const std::int64_t n : {std::int64_t{more}...})
      if (result.numbers < 8) result.number[result.numbers++] = n;
    return result;
  }

  friend constexpr bool operator==(const finding&, const finding&) = default;
};

/// A finding whose sentence is made of parts (texts, numbers, layouts, ...). One that is too long ends in "...".
template <class... Parts>
constexpr finding found(check_rule rule, const Parts&... parts) {
  message text;
  (text.add(parts), ...);
  finding result{.rule = rule};
  constexpr int most = finding::capacity - 1;
  for (int k = 0; k < text.length && k < most; ++k)
    result.says[k] = text.length > most && k >= most - 3 ? '.' : text.chars[k];
  return result;
}

/// Prints the sentence; "holds" if nothing was found.
constexpr void print(message& to, const finding& f) { to.add(f.ok() ? "holds" : static_cast<const char*>(f.says)); }

// How it is printed: the error of each compiler names the class that lacks a member, with its arguments.

struct nothing_was_found {
  static constexpr bool holds = true;
};

#if defined(__clang__) || defined(__CUDACC__)
/// The rule that is broken, and its numbers.
template <check_rule Rule, std::int64_t... Numbers>
struct it_was_found_that {};
template <finding F, std::size_t... I>
constexpr auto what_was_found(std::index_sequence<I...>) {
  if constexpr (F.ok())
    return nothing_was_found{};
  else
    return it_was_found_that<F.rule, F.number[I]...>{};
}
#else
/// The sentence.
template <literal_text Says>
struct it_was_found_that {};
template <finding F, std::size_t... I>
constexpr auto what_was_found(std::index_sequence<I...>) {
  if constexpr (F.ok()) {
    return nothing_was_found{};
  } else {
    constexpr auto text = literal_of([] { return static_cast<const char*>(F.says); });
    return it_was_found_that<text>{};
  }
}
#endif

/// True if nothing was found; does not compile, and says what, if something was.
template <finding F>
inline constexpr bool holds = decltype(what_was_found<F>(std::make_index_sequence<F.numbers>{}))::holds;

}  // namespace sectile
