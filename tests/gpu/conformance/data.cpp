#include "data.hpp"

#include <cstring>
#include <sectile/layouts/fragment.hpp>

namespace sectile::conformance {
namespace {

/// Numbers of one floating-point format.
struct format {
  element e;
  random_bits& random;

  int bias() const { return (1 << (e.exponent_bits - 1)) - 1; }
  int top_field() const { return (1 << e.exponent_bits) - 1; }
  bool has_infinity() const { return e.exponent_bits != 4; }
  int largest_field() const { return has_infinity() ? top_field() - 1 : top_field(); }
  std::uint32_t ones() const { return (1u << e.mantissa_bits) - 1; }
  int ignored() const { return e.bits - 1 - e.exponent_bits - e.mantissa_bits; }

  /// tf32 has bits that do not count: they are noise.
  std::uint32_t pack(bool negative, int field, std::uint32_t fraction) const {
    const std::uint32_t bits = (negative ? 1u : 0u) << (e.exponent_bits + e.mantissa_bits) |
                               static_cast<std::uint32_t>(field) << e.mantissa_bits | (fraction & ones());
    return ignored() == 0 ? bits : bits << ignored() | (random() & ((1u << ignored()) - 1));
  }
  bool sign() const { return (random() & 1) != 0; }
  std::uint32_t zero() const { return pack(sign(), 0, 0); }
  /// A number with exponent field within [low, high], as far as the format has them.
  std::uint32_t with_field(int low, int high) const {
    const int field = std::clamp(random.between(low, high), 0, largest_field());
    std::uint32_t fraction = random();
    if (!has_infinity() && field == top_field()) fraction &= ~1u;  // all ones would be the NaN
    return pack(sign(), field, fraction);
  }
  std::uint32_t ordinary() const {
    const int below = std::countl_zero(random() | 1u);
    return with_field(bias() - below + 1, bias() - below + 1);
  }
  std::uint32_t finite() const { return with_field(0, largest_field()); }
  std::uint32_t special() const {
    if (!has_infinity() || random.one_in(2)) return pack(sign(), top_field(), has_infinity() ? random() | 1u : ones());
    return pack(sign(), top_field(), 0);
  }
  /// +-2^exponent, subnormal if need be, zero below that.
  std::uint32_t power(int exponent) const {
    const int field = exponent + bias();
    if (field >= 1) return pack(sign(), std::min(field, largest_field()), 0);
    const int place = e.mantissa_bits - 1 + field;
    return pack(sign(), 0, place >= 0 ? 1u << place : 0);
  }
  std::uint32_t integer(int value) const {
    if (value == 0) return zero();
    const auto magnitude = static_cast<std::uint32_t>(std::abs(value));
    const int top = std::bit_width(magnitude) - 1;
    const int left = e.mantissa_bits - top;
    return pack(value < 0, top + bias(), left >= 0 ? magnitude << left : magnitude >> -left);
  }
};

std::uint32_t negated(const element& e, std::uint32_t x) { return x ^ 1u << (e.bits - 1); }

/// What draws A, B and C of one set of floats.
struct float_source {
  data_set set;
  format a, b, c;
  random_bits& random;
  bool narrow;  // fp8: thirteen bits where others have 25

  std::uint32_t input(const format& f, bool is_a, int group) const {
    switch (set) {
      case data_set::any_finite:
        return f.finite();
      case data_set::wide:
        return f.with_field(f.bias() - 12, f.bias() + 12);
      case data_set::subnormal:
        return random.one_in(8) ? f.ordinary() : f.with_field(0, 1);
      case data_set::zeros:
        return random.one_in(4) ? f.ordinary() : f.zero();
      case data_set::specials:
        return random.one_in(80) ? f.special() : random.one_in(8) ? f.zero() : f.ordinary();
      case data_set::large:
        return f.with_field(f.largest_field() - random.below(3), f.largest_field());
      case data_set::zero_by_large:
        if (group % 2 == 0) return is_a ? f.zero() : f.with_field(f.largest_field(), f.largest_field());
        return f.with_field(0, f.bias() / 2 - 2);
      case data_set::precision: {
        if (random.one_in(4)) return f.zero();
        if (random.one_in(16)) return f.power(0);
        return narrow ? f.power(-random.between(5, 8)) : f.power(-random.between(11, 14));
      }
      case data_set::ties:
        return random.one_in(16) ? f.power(random.between(4, 6)) : f.integer(random.between(-8, 8));
      case data_set::underflow:
        if (f.e.exponent_bits == 8) return f.with_field(f.bias() - 75, f.bias() - 58);
        return f.with_field(0, f.bias() - (f.e.exponent_bits == 4 ? 3 : 7));
      default:
        return f.ordinary();
    }
  }

  /// C; `product` is one of the products of its element, as bits of C.
  std::uint32_t accumulator(std::uint32_t product) const {
    const bool half = c.e.bits == 16;
    switch (set) {
      case data_set::any_finite:
        return random.one_in(2) ? c.finite() : c.ordinary();
      case data_set::wide:
        return c.with_field(c.bias() - 24, c.bias() + (half ? 12 : 24));
      case data_set::cancelling:
        return random.one_in(2) ? negated(c.e, product) : product ^ (random() & 7);
      case data_set::subnormal:
        if (random.one_in(4)) return c.zero();
        return random.one_in(2) ? c.with_field(0, 2) : product ^ (random() & 0xFF);
      case data_set::zeros:
        return random.one_in(2) ? c.zero() : c.ordinary();
      case data_set::specials:
        return random.one_in(16) ? c.special() : random.one_in(4) ? c.zero() : c.ordinary();
      case data_set::large:
        return c.with_field(c.largest_field() - random.below(3), c.largest_field());
      case data_set::zero_by_large:
        return random.one_in(2) ? c.zero() : c.with_field(0, c.bias() / 2);
      case data_set::precision:
        if (random.one_in(8)) return c.zero();
        return c.pack(c.sign(), c.bias(), random.one_in(2) ? 0 : random() >> random.below(24));
      case data_set::ties:
        return c.integer(random.between(-2048, 2048) * (1 << random.below(half ? 5 : 8)));
      case data_set::far_c:
        return c.finite();
      case data_set::underflow:
        return random.one_in(4) ? c.zero() : c.with_field(0, half ? 4 : 20);
      default:
        return random.one_in(8) ? product : c.ordinary();
    }
  }
};

/// A product of finite numbers, cut to the format of C: what C has to be near to cancel it.
std::uint32_t product_as_c(const problem& p, int row, int col, const rule& r) {
  const int s = static_cast<int>((static_cast<unsigned>(row) * 5u + static_cast<unsigned>(col)) %
                                 static_cast<unsigned>(p.stored()));
  const int k = p.w.sparse ? p.kept[static_cast<std::size_t>(row * p.stored() + s)] : s;
  const term x = decode(p.w.a, p.a[static_cast<std::size_t>(row * p.stored() + s)], r, false);
  const term y = decode(p.w.b, p.b[static_cast<std::size_t>(col * p.inner() + k)], r, false);
  if (x.kind != kind::finite || y.kind != kind::finite) return 0;
  rule cut;
  cut.kept_bits = p.w.d.mantissa_bits;
  cut.overflow_to_largest = true;
  const term t = multiply(x, y, cut);
  return encode(p.w.d, t.significand, t.unit, cut);
}

void fill_floats(problem& p, data_set set, random_bits& random) {
  const float_source source{set, {p.w.a, random}, {p.w.b, random}, {p.w.d, random}, random, p.w.a.bits == 8};
  const int stored = p.stored(), inner = p.inner(), rank = p.w.a.bits == 32 ? 2 : 4;
  const bool cancel = set == data_set::cancelling;
  for (int row = 0; row < 64; ++row) {
    for (int s = 0; s < stored; ++s) {
      const bool repeat = cancel && s % 2 == 1 && !random.one_in(8);
      p.a.push_back(repeat ? negated(p.w.a, p.a.back())
                           : source.input(source.a, true, s / (p.w.sparse ? rank / 2 : rank)));
    }
  }
  for (int col = 0; col < p.w.n; ++col) {
    for (int k = 0; k < inner; ++k) {
      const bool repeat = cancel && k % 4 != 0 && !random.one_in(16);
      p.b.push_back(repeat ? p.b.back() : source.input(source.b, false, k / rank));
    }
  }
  const rule plain;
  for (int row = 0; row < 64; ++row)
    for (int col = 0; col < p.w.n; ++col) p.c.push_back(source.accumulator(product_as_c(p, row, col, plain)));
}

std::uint32_t integer_input(const element& e, data_set set, random_bits& random) {
  const bool is_signed = e.kind == number::signed_integer, bits = e.kind == number::bits;
  switch (set) {
    case data_set::extremes:
      if (bits) return random.one_in(4) ? 0x7F : 0xFF;
      return is_signed ? (random.one_in(4) ? 0x7F : random.one_in(8) ? 0x81 : 0x80) : (random.one_in(4) ? 0xFE : 0xFF);
    case data_set::small_integers:
      return (bits || !is_signed ? random.below(4) : random.between(-3, 3)) & 0xFF;
    default:
      return random() & 0xFF;
  }
}

std::uint32_t integer_accumulator(data_set set, random_bits& random) {
  const std::uint32_t near = random.one_in(2) ? 0x7FFF'FFFFu - (random() >> 10) : 0x8000'0000u + (random() >> 10);
  switch (set) {
    case data_set::extremes:
      return random.one_in(4) ? 0x7FFF'FFFFu : random.one_in(3) ? 0x8000'0000u : near;
    case data_set::near_the_ends:
      return near;
    case data_set::small_integers:
      return static_cast<std::uint32_t>(random.between(-100, 100));
    default:
      return random();
  }
}

void fill_integers(problem& p, data_set set, random_bits& random) {
  for (int i = 0; i < 64 * p.stored(); ++i) p.a.push_back(integer_input(p.w.a, set, random));
  for (int i = 0; i < p.w.n * p.inner(); ++i) p.b.push_back(integer_input(p.w.b, set, random));
  for (int i = 0; i < 64 * p.w.n; ++i) p.c.push_back(integer_accumulator(set, random));
}

/// Two of every four, or of tf32 one of every two.
void choose_kept(problem& p, random_bits& random) {
  constexpr std::uint8_t pairs[] = {0x4, 0x8, 0xC, 0x9, 0xD, 0xE};
  for (int i = 0; i < 64 * p.groups(); ++i) {
    const int group = i % p.groups();
    if (p.w.a.bits == 32) {
      const bool second = random.one_in(2);
      p.nibble.push_back(second ? 0xE : 0x4);
      p.kept.push_back(static_cast<std::uint8_t>(2 * group + second));
      continue;
    }
    const std::uint8_t nibble = pairs[random.below(6)];
    p.nibble.push_back(nibble);
    p.kept.push_back(static_cast<std::uint8_t>(4 * group + nibble % 4));
    p.kept.push_back(static_cast<std::uint8_t>(4 * group + nibble / 4));
  }
}

std::vector<std::uint8_t> packed(const std::vector<std::uint32_t>& elements, int size) {
  std::vector<std::uint8_t> bytes(elements.size() * static_cast<std::size_t>(size));
  for (std::size_t i = 0; i < elements.size(); ++i)
    std::memcpy(&bytes[i * static_cast<std::size_t>(size)], &elements[i], static_cast<std::size_t>(size));
  return bytes;
}

/// Calls move(element of the matrix, word of the fragments, shift of the element in the word) for all of 64 x n.
template <class Move>
void for_each_element(const wgmma_instruction& w, Move move) {
  const int registers = accumulator_registers(w), parts = 32 / w.d.bits;
  for (int thread = 0; thread < warpgroup_threads; ++thread) {
    for (int reg = 0; reg < registers; ++reg) {
      for (int part = 0; part < parts; ++part) {
        const coord at = parts == 2 ? d16_coord(thread, reg, part) : d_coord(thread, reg);
        move(static_cast<std::size_t>(at.row * w.n + at.col),
             static_cast<std::size_t>(reg * warpgroup_threads + thread), 16 * part);
      }
    }
  }
}

}  // namespace

const char* name_of(data_set set) {
  constexpr const char* names[] = {"ordinary",      "any finite",    "wide",      "cancelling",    "subnormal",
                                   "zeros",         "specials",      "large",     "zero by large", "precision",
                                   "ties",          "far C",         "underflow", "any integer",   "extremes",
                                   "near the ends", "small integers"};
  return names[static_cast<int>(set)];
}

data_set set_of(const wgmma_instruction& w, int i) {
  const bool floats = w.a.kind == number::floating;
  return static_cast<data_set>(floats ? i % float_sets : float_sets + i % integer_sets);
}

problem make_problem(const wgmma_instruction& w, data_set set, bool accumulate, std::uint64_t seed) {
  random_bits random{seed};
  problem p{w, accumulate, {}, {}, {}, {}, {}};
  if (w.sparse) choose_kept(p, random);
  if (w.a.kind == number::floating)
    fill_floats(p, set, random);
  else
    fill_integers(p, set, random);
  if (!accumulate)  // what is not read may be anything
    for (std::uint32_t& c : p.c)
      if (random.one_in(4)) c = w.d.bits == 16 ? 0x7F01 : 0x7F81'2345;
  return p;
}

std::vector<std::uint8_t> rows_of_a(const problem& p) { return packed(p.a, p.element_bytes()); }
std::vector<std::uint8_t> rows_of_b(const problem& p) { return packed(p.b, p.element_bytes()); }

std::vector<std::uint32_t> metadata_of(const problem& p, std::uint32_t noise) {
  std::vector<std::uint32_t> words(warpgroup_threads, noise);
  if (!p.w.sparse) return words;
  const auto nibbles = [&](int row, int first, int count) {
    std::uint32_t bits = 0;
    for (int i = 0; i < count; ++i) {
      const std::uint32_t nibble = p.nibble[static_cast<std::size_t>(row * p.groups() + first + i)];
      bits |= nibble << 4 * i;
    }
    return bits;
  };
  for (int thread = 0; thread < warpgroup_threads; ++thread) {
    const int lane = thread % 32, row = thread / 32 * 16 + lane / 4;
    std::uint32_t& word = words[static_cast<std::size_t>(thread)];
    if (p.w.a.bits == 8)
      word = nibbles(row + 8 * (lane & 1), 8 * (lane >> 1 & 1), 8);
    else if ((lane & 3) / 2 == p.w.selector)
      word = nibbles(row, 4 * (lane & 1), 4) | nibbles(row + 8, 4 * (lane & 1), 4) << 16;
  }
  return words;
}

std::vector<std::uint32_t> fragments_of(const wgmma_instruction& w, const std::vector<std::uint32_t>& matrix) {
  std::vector<std::uint32_t> words(static_cast<std::size_t>(warpgroup_threads * accumulator_registers(w)));
  for_each_element(w,
                   [&](std::size_t element, std::size_t word, int shift) { words[word] |= matrix[element] << shift; });
  return words;
}

std::vector<std::uint32_t> matrix_of(const wgmma_instruction& w, const std::uint32_t* fragments) {
  std::vector<std::uint32_t> matrix(static_cast<std::size_t>(64 * w.n));
  const std::uint32_t mask = w.d.bits == 16 ? 0xFFFF : 0xFFFF'FFFF;
  for_each_element(
      w, [&](std::size_t element, std::size_t word, int shift) { matrix[element] = fragments[word] >> shift & mask; });
  return matrix;
}

}  // namespace sectile::conformance
