// Elements of other types: what is in registers, rounded or widened, and in the order that its next use asks for.
#pragma once
#include <sectile/dsl/program/misuse.hpp>
#include <sectile/dsl/program/observed_numbers.hpp>
#include <sectile/dsl/program/unroll.hpp>
#include <sectile/layouts/shuffled_columns.hpp>

namespace sectile {

// ---- the number that stands for an element: register i of block m
template <class X>
constexpr float as_float(const X& x) {
  if constexpr (staged_or_known<X>)
    return static_cast<float>(plain(x));
  else
    return static_cast<float>(x);  // an element of a narrower type
}
template <class R, class Rows, class Cols>
constexpr float number_at(const fragment<R, float, Rows, Cols>& x, int m, int i) {
  if constexpr (R::computes)
    return x.atom[m][i];
  else
    return 0;  // nobody asks, but compilers look inside
}
/// Of 16-bit elements, two in a register.
template <class R, class T, class Rows, class Cols>
requires(std::is_same_v<T, bf16> ||
         std::is_same_v<T, f16>) constexpr float number_at(const fragment<R, T, Rows, Cols>& x, int m, int i) {
  if constexpr (!R::computes)
    return 0;
  else if constexpr (std::is_same_v<T, bf16>)  // the upper half of an f32
    return __builtin_bit_cast(float, i % 2 == 0 ? x.atom[m][i / 2] << 16 : x.atom[m][i / 2] & 0xFFFF'0000u);
  else
    return i % 2 == 0 ? x.reading->hw.low_f16(x.atom[m][i / 2]) : x.reading->hw.high_f16(x.atom[m][i / 2]);
}
template <class R, class Rows>
constexpr float number_at(const row_vector<R, Rows>& x, int m, int i) {
  return x.value[m][row_half(i)];
}
template <class R, class Cols>
constexpr float number_at(const col_vector<R, Cols>& x, int, int i) {
  return x.value[i / 4][i % 2];
}
template <class X>
requires(kind_of_value<X> == value_kind::number) constexpr float number_at(const X& x, int, int) {
  return as_float(x);
}

// ---- two elements in a word

/// Two numbers rounded to 16-bit or 8-bit elements, the first in the low bits.
template <class T, class Machine>
constexpr std::uint32_t pack(Machine& hw, float low, float high) {
  if constexpr (std::is_same_v<T, bf16>)
    return hw.pack_bf16(low, high);
  else if constexpr (std::is_same_v<T, f16>)
    return hw.pack_f16(low, high);
  else if constexpr (std::is_same_v<T, e4m3>)
    return hw.pack_e4m3(low, high);
  else if constexpr (std::is_same_v<T, e5m2>)
    return hw.pack_e5m2(low, high);
  else if constexpr (std::is_same_v<T, s8>)
    return hw.pack_s8(low, high);
  else
    return hw.pack_u8(low, high);
}

/// Four numbers rounded to 8-bit elements, the first in the lowest bits: where a machine has an instruction that packs
/// two beside two others, as that does.
template <class T, class Machine>
constexpr std::uint32_t pack_four(Machine& hw, float a, float b, float c, float d) {
  if constexpr (std::is_same_v<T, e4m3> && requires { hw.pack_four_e4m3(a, b, c, d); })
    return hw.pack_four_e4m3(a, b, c, d);
  else
    return (pack<T>(hw, a, b) & 0xFFFFu) | pack<T>(hw, c, d) << 16;
}

/// Of 4-bit integers of T, what makes codes from 0 on of them: it turns the sign over.
template <class T>
inline constexpr std::uint32_t nibble_sign = element_of<T>().kind == number::signed_integer ? 8 : 0;
/// The one in the lowest bits of a word as f32: the last bits of 2^23 count ones, so that no conversion is needed,
/// whose pipe is slow.
template <class T>
constexpr float small_integer(std::uint32_t word) {
  constexpr std::uint32_t ones = 0x4B00'0000u | nibble_sign<T>;
  return __builtin_bit_cast(float, (word & 0xFu) ^ ones) - __builtin_bit_cast(float, ones);
}
/// The two elements of a pair (pair_distance() in layouts/operand_exchange.hpp) as f32, which has all of them.
template <class T, class Machine>
constexpr void unpack_pair(Machine& hw, std::uint32_t pair, float& low, float& high) {
  if constexpr (std::is_same_v<T, e4m3> || std::is_same_v<T, e5m2>) {
    // e5m2 is the upper half of f16.
    const std::uint32_t halves =
        std::is_same_v<T, e4m3> ? hw.f16_of_e4m3(pair) : (pair & 0xFFu) << 8 | (pair & 0xFF00u) << 16;
    low = hw.low_f16(halves);
    high = hw.high_f16(halves);
  } else if constexpr (element_of<T>().bits == 8) {
    low = hw.to_float(__builtin_bit_cast(T, static_cast<std::uint8_t>(pair)));
    high = hw.to_float(__builtin_bit_cast(T, static_cast<std::uint8_t>(pair >> 8)));
  } else {
    low = small_integer<T>(pair);
    high = small_integer<T>(pair >> pair_distance(4));
  }
}
/// The number whose last bits count ones: 128 in bf16, 1024 in f16. With the sign's bit, as codes of From have it.
template <class T, class From>
inline constexpr std::uint32_t counting_ones =
    (std::is_same_v<T, bf16> ? 0x4300'4300u : 0x6400'6400u) | nibble_sign<From> | nibble_sign<From> << 16;
/// The same as elements of T, bf16 or f16, which have all of them, too. Of 4 bits there is no conversion: they count
/// ones, and from what they are then `zero` is subtracted, where the elements' zero is.
template <class T, class From, class Machine>
constexpr std::uint32_t widen_pair(Machine& hw, std::uint32_t pair,
                                   [[maybe_unused]] std::uint32_t zero = counting_ones<T, From>) {
  if constexpr (std::is_same_v<From, e4m3> && std::is_same_v<T, f16>) {
    return hw.f16_of_e4m3(pair);
  } else if constexpr (element_of<From>().bits == 4) {
    const std::uint32_t codes = hw.and_xor(pair, 0x000F'000Fu, counting_ones<T, From>);
    return std::is_same_v<T, bf16> ? hw.sub_bf16x2(codes, zero) : hw.sub_f16x2(codes, zero);
  } else {
    float low = 0, high = 0;
    unpack_pair<From>(hw, pair, low, high);
    return pack<T>(hw, low, high);
  }
}

/// Shuffles of a machine, as the exchanges between the lanes of a row take them.
template <class Machine>
constexpr auto shuffle_of(Machine& hw) {
  return [&hw](std::uint32_t word, int from) { return hw.shuffle(word, from); };
}

/// How a machine joins the halves of words: by its instruction that permutes bytes, if it has one.
template <class Machine>
constexpr auto joining_of(Machine& hw) {
  if constexpr (requires { hw.permute_bytes(0u, 0u, 0u); }) {
    const auto permute = [&hw](std::uint32_t x, std::uint32_t y, std::uint32_t by) {
      return hw.permute_bytes(x, y, by);
    };
    return permute_halves<decltype(permute)>{permute};
  } else {
    return join_halves{};
  }
}

/// What ldmatrix brought of elements of Bits in four words of a thread, once lanes have exchanged what others need.
/// Shuffled ones came in that order.
template <class Bits, class Machine>
constexpr void exchange_words(Machine& hw, int lane, const std::uint32_t (&a)[4], std::uint32_t (&word)[4]) {
  if constexpr (is_shuffled<Bits>)
    for (int i = 0; i < 4; ++i) word[i] = a[i];
  else
    exchange_operand<element_of<Bits>().bits>(a, lane, word, shuffle_of(hw));
}
/// Of those words pair p in the order of accumulators.
template <class Bits>
constexpr std::uint32_t pair_in(const std::uint32_t (&word)[4], int lane, int p) {
  constexpr int bits = element_of<Bits>().bits;
  return is_shuffled<Bits> ? shuffled_pair<bits>(word, p) : exchanged_pair<bits>(word, lane, p);
}

/// Packs an accumulator into 16-bit elements (rounded to nearest even). The result is the left operand of a product as
/// it stands: the accumulator's registers 8c .. 8c+7, packed in pairs, are the A fragment of K columns 16c .. 16c+15.
template <class T, class R, class Rows, class Cols>
requires(std::is_same_v<T, bf16> ||
         std::is_same_v<T, f16>) constexpr fragment<R, T, Rows, Cols> cast(const fragment<R, float, Rows, Cols>& x) {
  x.touch();
  fragment<R, T, Rows, Cols> y(*x.reading, filled_here{}, x.place);
  if constexpr (R::computes)
    for (int m = 0; m < x.atoms; ++m) {
      for (int i = 0; i < y.atom_registers; ++i)
        y.atom[m][i] = pack<T>(x.reading->hw, x.atom[m][2 * i], x.atom[m][2 * i + 1]);
      if constexpr (is_watched<R>) observe_block(x, m), follow_cast(x, y, m);
    }
  return y;
}

/// make(machine, lane, x's block, y's block, step) for each step of `Columns` columns of every m64 block of x: y, of
/// elements T.
template <class T, int Columns, class R, class From, class Rows, class Cols, class Make>
constexpr fragment<R, T, Rows, Cols> cast_by_steps(const fragment<R, From, Rows, Cols>& x, Make make) {
  x.touch();
  fragment<R, T, Rows, Cols> y(*x.reading, filled_here{}, x.place);
  if constexpr (R::computes) {
    auto& hw = x.reading->hw;
    const int lane = x.reading->thread % 32;
    for (int m = 0; m < x.atoms; ++m) {
      if constexpr (is_watched<R>) observe_block(x, m);
      unroll<Cols::extent / Columns>([&](auto step) { make(hw, lane, x.atom[m], y.atom[m], step); });
      if constexpr (is_watched<R>) follow_cast(x, y, m);
    }
  }
  return y;
}

/// Lanes exchange words of whole K steps of a product: of so many columns of the fragment that registers hold.
constexpr violation check_cast_steps(int columns, int step, const element& to, bool swapped) {
  if (columns % step == 0) return {};
  return refuse(rule::tile_is_not_a_multiple_of_the_instruction, "cast to ", to.name, " of ", columns,
                swapped ? " rows (columns of the transpose that registers hold, .swap = true)" : " columns",
                ": it takes a multiple of ", step, "; use ", columns / step * step + step,
                swapped ? ", or store what is f32 as it is: store() rounds" : "");
}
/// An accumulator as the left operand of a product of 8-bit or tf32 elements (rounded to nearest even; what is too
/// large for 8 bits becomes the largest number). Here the registers do not line up: the four lanes of a row exchange
/// words.
template <class T, class R, class Rows, class Cols>
requires(element_or_none<T>().bits == 8 ||
         std::is_same_v<T, tf32>) constexpr auto cast(const fragment<R, float, Rows, Cols>& x) {
  constexpr int bits = element_of<T>().bits, taken = accumulator_registers_of_step(bits);
  constexpr violation v = check_cast_steps(Cols::extent, a_columns(bits), element_of<T>(), R::swaps);
  static_assert(decltype(reason<v>())::verified);
  refuse_unless_it_holds<v>(x);
  return cast_by_steps<T, a_columns(bits)>(x, [](auto& hw, int lane, const auto& from, auto& to, auto step) {
    std::uint32_t a[4]{};
    if constexpr (bits == 8) {
      std::uint32_t word[4]{};
      for (int w = 0; w < 4; ++w) {
        const int at = taken * step + 4 * w;
        word[w] = pack_four<T>(hw, from[at], from[at + 1], from[at + 2], from[at + 3]);
      }
      make_operand_8bit(word, lane, a, shuffle_of(hw), joining_of(hw));
    } else {
      std::uint32_t value[4]{};
      for (int p = 0; p < 4; ++p) value[p] = __builtin_bit_cast(std::uint32_t, T(from[taken * step + p]).value);
      make_operand_32bit(value, lane, a, shuffle_of(hw));
    }
    for (int i = 0; i < 4; ++i) to[4 * step + i] = a[i];
  });
}

/// An f32 accumulator as it is, for programs that are written for any type of sum.
template <class T, class R, class Rows, class Cols>
requires(std::is_same_v<T, float>) constexpr fragment<R, float, Rows, Cols> cast(
    const fragment<R, float, Rows, Cols>& x) {
  return x;
}

/// A tile of 8 or 4 bits that has been brought into registers, as numbers. It came in the order of a left operand of
/// its own width; the four lanes of a row exchange words, unless they are shuffled<>.
template <class T, class R, class Bits, class Rows, class Cols>
requires((element_of<Bits>().bits == 8 || element_of<Bits>().bits == 4) &&
         std::is_same_v<T, float>) constexpr fragment<R, float, Rows, Cols> cast(
    const fragment<R, Bits, Rows, Cols>& x) {
  constexpr int columns = a_columns(element_of<Bits>().bits);  // of one K step
  return cast_by_steps<float, columns>(x, [](auto& hw, int lane, const auto& from, auto& to, auto step) {
    constexpr int pairs = a_columns(element_of<Bits>().bits) / 4;  // of a thread
    std::uint32_t a[4]{}, word[4]{};
    for (int i = 0; i < 4; ++i) a[i] = from[4 * step + i];
    exchange_words<Bits>(hw, lane, a, word);
    for (int p = 0; p < pairs; ++p) {
      const int at = pairs * step + p;
      unpack_pair<unshuffled<Bits>>(hw, pair_in<Bits>(word, lane, p), to[2 * at], to[2 * at + 1]);
    }
  });
}

/// An s32 accumulator (rounded to nearest even), or a fragment of f16 or bf16 (exact), as f32.
template <class T, class R, class Sum, class Rows, class Cols>
requires(
    std::is_same_v<T, float> &&
    (std::is_same_v<Sum, s32> || std::is_same_v<Sum, f16> ||
     std::is_same_v<Sum, bf16>)) constexpr fragment<R, float, Rows, Cols> cast(const fragment<R, Sum, Rows, Cols>& x) {
  x.touch();
  fragment<R, float, Rows, Cols> y(*x.reading, filled_here{}, x.place);
  if constexpr (R::computes)
    SECTILE_UNROLL for (int m = 0; m < x.atoms; ++m) {
      SECTILE_UNROLL for (int i = 0; i < y.atom_registers; ++i) {
        if constexpr (std::is_same_v<Sum, s32>)
          y.atom[m][i] = x.reading->hw.to_float(x.atom[m][i]);
        else
          y.atom[m][i] = number_at(x, m, i);
      }
      if constexpr (is_watched<R>) observe_block(x, m), follow_cast(x, y, m);
    }
  return y;
}

}  // namespace sectile
