#pragma once
// Turning an accumulator into operand A of the next product where their registers do not line up. Of 16-bit operands
// they do (accumulator_feeds_operand); of 8-bit and tf32 operands each thread holds elements that the other three lanes
// of its row need.
//
// Both exchanges take two rounds for two registers: in each, every lane offers one word and reads one of its quad (the
// four lanes that share a row). Some lanes need nothing of their own, so no exchange does with fewer words.
//
// Let q = lane % 4 be the lane's place in the quad.
//
// 8-bit. Lane q holds columns 8c + 2q, + 1 of column group c = 0..3 and needs columns 4q .. 4q + 3 and those 16 on: of
// group q / 2 (and 2 + q / 2) the pairs of lanes 2 (q % 2) and 2 (q % 2) + 1. A word carries the pairs of both its
// rows. In round r lane p offers group p % 2 ^ r and lane q reads from 2 (q % 2) + (q / 2 ^ r), so what it reads is of
// group q / 2, the low half of its registers in round q / 2 and the high half in the other.
//
// The way back, from an 8-bit operand to the order of accumulators, takes as many. Of each 16 columns lane q holds 4q
// .. 4q + 3 and needs 2q and 2q + 1 of the first 8, from lane q / 2, and of the second 8, from lane 2 + q / 2: the
// lower half of both words where q is even, the upper half where it is odd. In round r lane p offers the half p / 2 ^
// r, and lane q reads from q / 2 + 2 (q % 2 ^ r).
//
// 4-bit, the way back alone. Lane q holds columns 8q .. 8q + 7 of 32 in a word, a byte for each two, and needs 2q and
// 2q + 1 of every eight: byte q of each lane's word. That is a transpose of 4 x 4 bytes, of four words at a time (two
// rows, and the next 32 columns), two of which travel together. In round one a lane gives the lane 2 away the halves of
// its words that are for that one and its neighbour, and keeps the others. In round two it gives its neighbour the
// bytes that are for that one.
//
// 32-bit. Lane q holds columns 2q, 2q + 1 and needs columns q and q + 4: element q % 2 of lanes q / 2 and 2 + q / 2.
// Let x(q) = q % 2 ^ q / 2. In round r lane p offers element x(p) ^ r and lane q reads from q / 2 + 2 (x(q) ^ r).

#include <cstdint>

#include <sectile/layouts/fragment.hpp>

namespace sectile {

/// Registers of an f32 or s32 accumulator that one K step of an operand of that width is made from.
constexpr int accumulator_registers_of_step(int element_bits) { return a_columns(element_bits) / 2; }

namespace detail {
/// Bytes 0 and 2, or 1 and 3, of x and then of y.
constexpr std::uint32_t alternate_bytes(bool odd, std::uint32_t x, std::uint32_t y) {
  if (odd) x >>= 8, y >>= 8;
  x = (x & 0xFFu) | (x >> 8 & 0xFF00u), y = (y & 0xFFu) | (y >> 8 & 0xFF00u);
  return x | y << 16;
}
}  // namespace detail

/// What the last step of that exchange makes of two words: their low halves in `low` and their high ones in `high`, x's
/// first unless they came in the other order.
struct join_halves {
  constexpr void operator()(bool turned, std::uint32_t x, std::uint32_t y, std::uint32_t& low,
                            std::uint32_t& high) const {
    const std::uint32_t first = turned ? y : x, second = turned ? x : y;
    low = (first & 0xFFFFu) | second << 16;
    high = first >> 16 | (second & 0xFFFF'0000u);
  }
};
/// The same by permute(x, y, selector), prmt.b32 of the PTX ISA, whose selector may be the lane's: each of its nibbles,
/// from the lowest on, names a byte of the result, 0..3 of x and 4..7 of y.
template <class Permute>
struct permute_halves {
  Permute permute;
  constexpr void operator()(bool turned, std::uint32_t x, std::uint32_t y, std::uint32_t& low,
                            std::uint32_t& high) const {
    low = permute(x, y, turned ? 0x1054u : 0x5410u);
    high = permute(x, y, turned ? 0x3276u : 0x7632u);
  }
};

/// Makes the four registers of an 8-bit operand A of one K step (32 columns of the accumulator).
/// word[w]: elements 16 step + 4w .. + 3 of the thread's f32 or s32 accumulator (of an f16 one: both parts of registers
/// 8 step + 2w and + 1), converted to 8 bits, the first in the lowest.
/// shuffle(x, l): every lane gives x and gets what lane l of its warp (0..31) gave; called four times by every lane.
template <class Shuffle, class Join = join_halves>
constexpr void make_operand_8bit(const std::uint32_t (&word)[4], int lane, std::uint32_t (&a)[4], Shuffle shuffle,
                                 Join join = {}) {
  const int q = lane % 4;
  const int source = lane - q + 2 * (q % 2) + q / 2;
  for (int half = 0; half < 2; ++half) {
    const std::uint32_t even = word[2 * half], odd = word[2 * half + 1];
    const std::uint32_t first = shuffle(q % 2 ? odd : even, source);
    const std::uint32_t second = shuffle(q % 2 ? even : odd, source ^ 1);
    join(q / 2 != 0, first, second, a[2 * half], a[2 * half + 1]);
  }
}
/// The same of pairs: pair[p] has elements 16 step + 2p and + 1 in bits 0..7 and 8..15; bits 16..31 are ignored.
template <class Shuffle>
constexpr void make_operand_8bit(const std::uint32_t (&pair)[8], int lane, std::uint32_t (&a)[4], Shuffle shuffle) {
  std::uint32_t word[4]{};
  for (int w = 0; w < 4; ++w) word[w] = (pair[2 * w] & 0xFFFFu) | pair[2 * w + 1] << 16;
  make_operand_8bit(word, lane, a, shuffle);
}

/// The inverse, in two steps. First what lanes give each other: of the four registers of an 8-bit operand A of one K
/// step four words that hold, in the order of accumulators, the thread's pairs of elements. shuffle as above.
template <class Shuffle>
constexpr void exchange_operand_8bit(const std::uint32_t (&a)[4], int lane, std::uint32_t (&word)[4], Shuffle shuffle) {
  const int q = lane % 4;
  const int source = lane - q + q / 2 + 2 * (q % 2);
  for (int half = 0; half < 2; ++half) {
    const std::uint32_t lower = (a[2 * half] & 0xFFFFu) | a[2 * half + 1] << 16;
    const std::uint32_t upper = a[2 * half] >> 16 | (a[2 * half + 1] & 0xFFFF'0000u);
    const std::uint32_t first = shuffle(q / 2 ? upper : lower, source);
    const std::uint32_t second = shuffle(q / 2 ? lower : upper, source ^ 2);
    word[2 * half] = q % 2 ? second : first;
    word[2 * half + 1] = q % 2 ? first : second;
  }
}
/// The same of an operand of 4 bits (64 columns), whose pairs are bytes. shuffle is called four times by every lane.
template <class Shuffle>
constexpr void exchange_operand_4bit(const std::uint32_t (&a)[4], int lane, std::uint32_t (&word)[4], Shuffle shuffle) {
  const bool upper = lane % 4 >= 2, odd = lane % 2 != 0;
  for (int half = 0; half < 2; ++half) {
    const std::uint32_t x = a[2 * half], y = a[2 * half + 1];
    const std::uint32_t low = (x & 0xFFFFu) | y << 16, high = x >> 16 | (y & 0xFFFF'0000u);
    const std::uint32_t kept = upper ? high : low, got = shuffle(upper ? low : high, lane ^ 2);
    // Of both words, from this lane's pair of lanes and from the other one.
    const std::uint32_t here = detail::alternate_bytes(odd, kept, got);
    const std::uint32_t there = detail::alternate_bytes(!odd, kept, got);
    const std::uint32_t beside = shuffle(there, lane ^ 1);
    word[2 * half] = odd ? beside : here;
    word[2 * half + 1] = odd ? here : beside;
  }
}
template <int Bits, class Shuffle>
constexpr void exchange_operand(const std::uint32_t (&a)[4], int lane, std::uint32_t (&word)[4], Shuffle shuffle) {
  static_assert(Bits == 8 || Bits == 4);
  if constexpr (Bits == 8)
    exchange_operand_8bit(a, lane, word, shuffle);
  else
    exchange_operand_4bit(a, lane, word, shuffle);
}

/// Bits from one element of a pair to the other: of 4-bit elements each is at the foot of a half.
constexpr int pair_distance(int element_bits) { return element_bits == 4 ? 16 : element_bits; }

/// Then what a thread does alone: of those words pair p in the order of accumulators, an element from bit 0 on and one
/// from bit pair_distance() on. Of 4-bit elements the bits beside them are anything.
template <int Bits>
constexpr std::uint32_t exchanged_pair(const std::uint32_t (&word)[4], int lane, int p) {
  if constexpr (Bits == 8) {
    const std::uint32_t both = word[p / 2];
    return p % 2 ? both >> 16 : both & 0xFFFFu;
  } else {
    const int c = p / 2 % 4;  // columns 8 c on were lane c's
    const bool upper = lane % 4 >= 2;
    const std::uint32_t all = word[2 * (p / 8) + c % 2];
    const std::uint32_t both = (c >= 2) != upper ? all >> 16 : all;
    const std::uint32_t two = p % 2 ? both >> 8 : both;
    return (two & 0xFFFFu) | two << 12;
  }
}

/// Both, for all pairs of a step: of elements of 8 bits, and of 4.
template <class Shuffle>
constexpr void take_operand(const std::uint32_t (&a)[4], int lane, std::uint32_t (&pair)[8], Shuffle shuffle) {
  std::uint32_t word[4]{};
  exchange_operand_8bit(a, lane, word, shuffle);
  for (int p = 0; p < 8; ++p) pair[p] = exchanged_pair<8>(word, lane, p);
}
template <class Shuffle>
constexpr void take_operand(const std::uint32_t (&a)[4], int lane, std::uint32_t (&pair)[16], Shuffle shuffle) {
  std::uint32_t word[4]{};
  exchange_operand_4bit(a, lane, word, shuffle);
  for (int p = 0; p < 16; ++p) pair[p] = exchanged_pair<4>(word, lane, p);
}

/// Makes the four registers of a tf32 operand A of one K step (8 columns of the accumulator).
/// value[p]: register 4 step + p of the thread's f32 accumulator. shuffle as above.
template <class Shuffle>
constexpr void make_operand_32bit(const std::uint32_t (&value)[4], int lane, std::uint32_t (&a)[4], Shuffle shuffle) {
  const int q = lane % 4;
  const bool crossed = q == 1 || q == 2;
  const int source = lane - q + q / 2 + (crossed ? 2 : 0);
  for (int lower = 0; lower < 2; ++lower) {
    const std::uint32_t even = value[2 * lower];
    const std::uint32_t odd = value[2 * lower + 1];
    const std::uint32_t first = shuffle(crossed ? odd : even, source);
    const std::uint32_t second = shuffle(crossed ? even : odd, source ^ 2);
    a[lower] = crossed ? second : first;
    a[lower + 2] = crossed ? first : second;
  }
}

namespace detail {

constexpr int most_shuffles = 8;

/// Runs `make(thread, registers, shuffle)` for every thread of a warpgroup, shuffles included, and says whether part
/// `part` of register `reg` of each comes out as expected(thread, reg, part) under the mask of one part. `Rounds`: how
/// many shuffles there are of which each gives what hangs on what the one before has brought. `apart`: bits from one
/// part to the next, if these are not those of an element.
template <int Registers = 4, int Rounds = 1, class Make, class Expected>
constexpr bool exchange_yields(int element_bits, int parts, Make make, Expected expected, int apart = 0) {
  std::uint32_t given[warpgroup_threads][most_shuffles] = {};
  std::uint32_t a[Registers] = {};
  for (int known = 0; known < Rounds; ++known)
    for (int thread = 0; thread < warpgroup_threads; ++thread) {
      int round = 0;
      make(thread, a, [&](std::uint32_t x, int lane) {
        given[thread][round] = x;
        return given[thread / 32 * 32 + lane][round++];
      });
    }
  const std::uint32_t mask = element_bits == 32 ? ~0u : (1u << element_bits) - 1;
  for (int thread = 0; thread < warpgroup_threads; ++thread) {
    int round = 0;
    make(thread, a, [&](std::uint32_t, int lane) { return given[thread / 32 * 32 + lane][round++]; });
    for (int reg = 0; reg < Registers; ++reg) {
      for (int part = 0; part < parts; ++part) {
        if ((a[reg] >> part * (apart > 0 ? apart : element_bits) & mask) != expected(thread, reg, part)) return false;
      }
    }
  }
  return true;
}

/// Whether the exchange brings every element's row, or its column, where a_coord wants that element.
constexpr bool exchange_carries(int element_bits, bool by_row) {
  const auto tag = [by_row](coord at) { return static_cast<std::uint32_t>(by_row ? at.row : at.col); };
  const auto make = [&](int thread, std::uint32_t(&a)[4], auto shuffle) {
    if (element_bits == 8) {
      std::uint32_t pair[8] = {};
      for (int p = 0; p < 8; ++p) pair[p] = tag(d_coord(thread, 2 * p)) | tag(d_coord(thread, 2 * p + 1)) << 8;
      make_operand_8bit(pair, thread % 32, a, shuffle);
    } else {
      std::uint32_t value[4] = {};
      for (int p = 0; p < 4; ++p) value[p] = tag(d_coord(thread, p));
      make_operand_32bit(value, thread % 32, a, shuffle);
    }
  };
  return exchange_yields(element_bits, a_parts(element_bits), make,
                         [&](int thread, int reg, int part) { return tag(a_coord(element_bits, thread, reg, part)); });
}
/// The same for the way back, of elements of 8 or 4 bits: to where d_coord wants it. Elements are what their row or
/// column has from bit `first` on.
template <int Bits>
constexpr bool exchange_returns(bool by_row, int first) {
  constexpr int pairs = a_columns(Bits) / 4, rounds = Bits == 8 ? 1 : 2;
  const auto tag = [=](coord at) {
    return static_cast<std::uint32_t>(by_row ? at.row : at.col) >> first & ((1u << Bits) - 1);
  };
  const auto make = [&](int thread, auto& pair, auto shuffle) {  // (nvcc dies of std::uint32_t(&)[pairs])
    std::uint32_t a[4] = {};
    for (int reg = 0; reg < 4; ++reg)
      for (int part = 0; part < a_parts(Bits); ++part) a[reg] |= tag(a_coord(Bits, thread, reg, part)) << Bits * part;
    take_operand(a, thread % 32, pair, shuffle);
  };
  return exchange_yields<pairs, rounds>(
      Bits, 2, make, [&](int thread, int reg, int part) { return tag(d_coord(thread, 2 * reg + part)); },
      pair_distance(Bits));
}
/// Of all 8 bits of rows and columns, `at_once` of which an element has room for.
template <int Bits>
constexpr bool exchange_returns_all(int at_once) {
  bool right = true;
  for (int first = 0; first < 8 && right; first += at_once)
    right = exchange_returns<Bits>(true, first) && exchange_returns<Bits>(false, first);
  return right;
}

}  // namespace detail

/// Proof that the exchange for operands of element_bits (8 or 32) puts every element where a_coord wants it: run for
/// all threads with elements that are their own row, then their own column. Later K steps take later registers of the
/// same threads.
constexpr bool exchange_makes_operand(int element_bits) {
  return detail::exchange_carries(element_bits, true) && detail::exchange_carries(element_bits, false);
}

/// Proof that the way back, from operands of element_bits (8 or 4), puts every element where d_coord wants it.
constexpr bool exchange_takes_operand(int element_bits) {
  return element_bits == 8 ? detail::exchange_returns_all<8>(element_bits)
                           : element_bits == 4 && detail::exchange_returns_all<4>(element_bits);
}

/// Proof that an operand A of element_bits (8) is held in units of two elements as one of twice the bits is held in
/// elements, of half as many columns: stmatrix, which stores those, stores it as well.
constexpr bool operand_is_units(int element_bits) {
  const int parts = a_parts(element_bits);
  for (int thread = 0; thread < warpgroup_threads; ++thread)
    for (int reg = 0; reg < 4; ++reg)
      for (int part = 0; part < parts; ++part) {
        const coord unit = a_coord(2 * element_bits, thread, reg, part / 2);
        if (a_coord(element_bits, thread, reg, part) != coord{unit.row, 2 * unit.col + part % 2}) return false;
      }
  return true;
}

}  // namespace sectile
