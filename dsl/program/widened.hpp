// A left factor of 16 bits that elements of 8 or 4 bits become in registers: a fragment like any other, which remembers
// the narrow elements that it is made of. A product need not take it whole. It makes part after part, each while the
// tensor cores multiply the one before (see roles/consumer.hpp); what nobody has taken then, compilers leave out.
#pragma once
#include <sectile/dsl/program/cast.hpp>

namespace sectile {

/// Scaled: by a number of each row.
template <class R, class T, class Bits, class Rows, class Cols, bool Scaled = false>
struct widened : fragment<R, T, Rows, Cols> {
  using fragment_type = fragment<R, T, Rows, Cols>;
  using narrow_type = Bits;
  static constexpr int bits = element_of<Bits>().bits;
  static constexpr int columns = a_columns(bits);           // that a thread's four words hold its elements of: a step
  static constexpr int registers_of_step = columns / 4;     // of the factor
  static constexpr int steps = Cols::extent / columns;
  using words = typename R::template registers<std::uint32_t, 4 * steps>;

  words narrow[fragment_type::atoms < 1 ? 1 : fragment_type::atoms]{};  // as lanes have exchanged them
  using of_rows = std::uint32_t[fragment_type::atoms < 1 ? 1 : fragment_type::atoms][2];  // twice in a word
  of_rows zero{}, scale{};                                                                // of 4 bits; if Scaled

  constexpr widened(R& r, filled_here of, const auto& from) : fragment_type(r, of, from) {
    if constexpr (bits == 4)
      for (auto& of_block : zero)
        for (std::uint32_t& of_row : of_block) of_row = counting_ones<T, unshuffled<Bits>>;
  }

  /// Register i of block m.
  constexpr std::uint32_t register_at(int m, int i) const {
    std::uint32_t word[4]{};
    for (int j = 0; j < 4; ++j) word[j] = narrow[m][i / registers_of_step * 4 + j];
    auto& sm = *this->reading;
    const std::uint32_t pair = pair_in<Bits>(word, sm.thread % 32, i % registers_of_step);
    const std::uint32_t wide = widen_pair<T, unshuffled<Bits>>(sm.hw, pair, zero[m][i % 2]);
    if constexpr (!Scaled)
      return wide;
    else
      return std::is_same_v<T, bf16> ? sm.hw.mul_bf16x2(wide, scale[m][i % 2]) : sm.hw.mul_f16x2(wide, scale[m][i % 2]);
  }
};

template <class X>
inline constexpr bool is_widened = false;
template <class R, class T, class Bits, class Rows, class Cols, bool Scaled>
inline constexpr bool is_widened<widened<R, T, Bits, Rows, Cols, Scaled>> = true;

template <class R, class T, class Bits, class Rows, class Cols, bool Scaled>
struct is_packed<widened<R, T, Bits, Rows, Cols, Scaled>> : is_packed<fragment<R, T, Rows, Cols>> {};
template <class R, class T, class Bits, class Rows, class Cols, bool Scaled>
struct factor<widened<R, T, Bits, Rows, Cols, Scaled>> {
  using type = const widened<R, T, Bits, Rows, Cols, Scaled>&;
  static constexpr bool left = true, right = false, negative = false;
  static constexpr type bare(type x) { return x; }
};

template <class R, class T, class Bits, class Rows, class Cols, bool Scaled>
struct value_facts<widened<R, T, Bits, Rows, Cols, Scaled>> : value_facts<fragment<R, T, Rows, Cols>> {};
template <class R, class T, class Bits, class Rows, class Cols, bool Scaled>
inline constexpr bool swaps_in_registers<widened<R, T, Bits, Rows, Cols, Scaled>> = R::swaps;

/// A tile of 8 or 4 bits that has been brought into registers, as the left operand of a product of 16 bits (all exact,
/// but for e5m2 that is infinite). It came in the order of a left operand of its own width; the four lanes of a row
/// exchange words, unless they are shuffled<>.
template <class T, class R, class Bits, class Rows, class Cols>
requires((element_of<Bits>().bits == 8 || element_of<Bits>().bits == 4) &&
         (std::is_same_v<T, bf16> || std::is_same_v<T, f16>)) constexpr widened<R, T, Bits, Rows, Cols> cast(
    const fragment<R, Bits, Rows, Cols>& x) {
  using result = widened<R, T, Bits, Rows, Cols>;
  x.touch();
  result y(*x.reading, filled_here{}, x.place);
  if constexpr (R::computes) {
    auto& hw = x.reading->hw;
    for (int m = 0; m < x.atoms; ++m) {
      if constexpr (is_watched<R>) observe_block(x, m);
      SECTILE_UNROLL for (int step = 0; step < result::steps; ++step) {
        std::uint32_t a[4]{}, word[4]{};
        for (int i = 0; i < 4; ++i) a[i] = x.atom[m][4 * step + i];
        exchange_words<Bits>(hw, x.reading->thread % 32, a, word);
        for (int i = 0; i < 4; ++i) y.narrow[m][4 * step + i] = word[i];
      }
      SECTILE_UNROLL for (int i = 0; i < result::atom_registers; ++i) y.atom[m][i] = y.register_at(m, i);
      if constexpr (is_watched<R>) follow_cast(x, y, m);
    }
  }
  return y;
}
/// A left factor of the same narrow elements, to which set(y, m, h) gives the numbers of a thread's rows h of block m.
template <class Result, class X, class Set>
constexpr Result with_numbers_of_rows(const X& x, Set set) {
  x.touch();
  Result y(*x.reading, filled_here{}, x.place);
  if constexpr (X::reading_type::computes)
    for (int m = 0; m < x.atoms; ++m) {
      SECTILE_UNROLL for (int i = 0; i < 4 * X::steps; ++i) y.narrow[m][i] = x.narrow[m][i];
      SECTILE_UNROLL for (int h = 0; h < 2; ++h) {
        y.zero[m][h] = x.zero[m][h];
        set(y, m, h);
      }
      SECTILE_UNROLL for (int i = 0; i < X::atom_registers; ++i) y.atom[m][i] = y.register_at(m, i);
    }
  return y;
}
/// The same less a number of each row, of integers of 4 bits: their zero points, whole numbers of their own range
/// (others are rounded to such). It takes no instruction more than none.
template <class R, class T, class Bits, class Rows, class Cols>
requires(element_of<Bits>().bits == 4) constexpr widened<R, T, Bits, Rows, Cols> operator-(
    const widened<R, T, Bits, Rows, Cols>& x, const row_vector<R, Rows>& zeros) {
  use_line(zeros);
  return with_numbers_of_rows<widened<R, T, Bits, Rows, Cols>>(x, [&](auto& y, int m, int h) {
    auto& hw = y.reading->hw;
    constexpr std::uint32_t ones = counting_ones<T, unshuffled<Bits>>;
    const float zero = hw.add(static_cast<float>(T(static_cast<std::uint16_t>(ones))), zeros.value[m][h]);
    y.zero[m][h] = pack<T>(hw, zero, zero);
  });
}
/// The same times a number of each row, itself rounded to T, and rounded to T. Nothing is subtracted from it any more.
template <class R, class T, class Bits, class Rows, class Cols>
constexpr widened<R, T, Bits, Rows, Cols, true> operator*(const widened<R, T, Bits, Rows, Cols>& x,
                                                          const row_vector<R, Rows>& by) {
  use_line(by);
  return with_numbers_of_rows<widened<R, T, Bits, Rows, Cols, true>>(
      x, [&](auto& y, int m, int h) { y.scale[m][h] = pack<T>(y.reading->hw, by.value[m][h], by.value[m][h]); });
}
/// To anything but a product it is the fragment.
template <class T, class R, class Wide, class Bits, class Rows, class Cols, bool Scaled>
constexpr auto cast(const widened<R, Wide, Bits, Rows, Cols, Scaled>& x) {
  return cast<T>(static_cast<const fragment<R, Wide, Rows, Cols>&>(x));
}

}  // namespace sectile
