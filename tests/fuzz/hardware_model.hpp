#pragma once
// The rules of TMA and of wgmma's descriptors and shared-memory layouts, written down once more from the tables of the
// PTX ISA, in the plainest form: fields as lists of bits, addresses as sums of strides. Nothing of layouts/ is called.

#include <cstdint>
#include <vector>

namespace sectile_fuzz::hardware {

/// A field of the 64-bit descriptor: bits [low, low + width), in units of `unit`.
struct field {
  int low;
  int width;
  int unit;
};
constexpr field start_field{0, 14, 16};
constexpr field leading_field{16, 14, 16};
constexpr field stride_field{32, 14, 16};
constexpr field base_field{49, 3, 1};
constexpr field mode_field{62, 2, 1};

inline bool fits(const field& f, std::int64_t value) {
  return value >= 0 && value % f.unit == 0 && value / f.unit < std::int64_t{1} << f.width;
}

/// The bits of a value, put in place one by one.
inline std::uint64_t placed(const field& f, std::uint64_t value) {
  std::uint64_t word = 0;
  for (int bit = 0; bit < f.width; ++bit) {
    if ((value / static_cast<unsigned>(f.unit) >> bit & 1) != 0) word |= std::uint64_t{1} << (f.low + bit);
  }
  return word;
}

inline std::uint64_t taken(const field& f, std::uint64_t word) {
  std::uint64_t value = 0;
  for (int bit = 0; bit < f.width; ++bit) value += (word >> (f.low + bit) & 1) << bit;
  return value * static_cast<unsigned>(f.unit);
}

/// The swizzle modes by the bytes over which they exchange pieces: 16 (none), 32, 64, 128.
inline std::uint64_t code_of_span(int span) { return span == 16 ? 0 : span == 128 ? 1 : span == 64 ? 2 : 3; }

/// The address at which hardware puts what belongs at address a: 16-byte pieces change places within rows of 128 bytes.
inline std::int64_t swizzled(std::int64_t a, int span) {
  std::int64_t b = a;
  if (span >= 32 && (a & 1 << 7) != 0) b ^= 1 << 4;
  if (span >= 64 && (a & 1 << 8) != 0) b ^= 1 << 5;
  if (span >= 128 && (a & 1 << 9) != 0) b ^= 1 << 6;
  return b;
}

/// What a descriptor says, as plain numbers.
struct operand {
  std::int64_t start = 0;
  std::int64_t lbo = 0;
  std::int64_t sbo = 0;
  int span = 16;
  bool k_major = true;
  int bits = 16;
};

inline operand decoded(std::uint64_t word, bool k_major, int bits) {
  constexpr int spans[] = {16, 128, 64, 32};
  return {static_cast<std::int64_t>(taken(start_field, word)),
          static_cast<std::int64_t>(taken(leading_field, word)),
          static_cast<std::int64_t>(taken(stride_field, word)),
          spans[taken(mode_field, word)],
          k_major,
          bits};
}

/// One mode of a canonical layout: an extent (0: as many as there are) and a stride in bits.
struct canonical_mode {
  std::int64_t extent;
  std::int64_t stride;
};

/// The canonical layout of an operand: the modes of MN and of K, innermost first. T elements are 16 bytes.
struct canonical {
  std::vector<canonical_mode> mn;
  std::vector<canonical_mode> k;
};

inline canonical canonical_of(const operand& o) {
  const std::int64_t t = 128 / o.bits;
  const std::int64_t row = 8 * o.span;  // bits from one row of a core matrix to the next
  const std::int64_t lbo = 8 * o.lbo;
  const std::int64_t sbo = 8 * o.sbo;
  if (o.k_major) {
    const std::int64_t along = o.span == 16 ? lbo : 128;
    return {{{8, row}, {0, sbo}}, {{t, o.bits}, {0, along}}};
  }
  const std::int64_t chunks = o.span / 16;
  const bool plain = o.span == 16;
  return {{{t, o.bits}, {chunks, 128}, {0, plain ? sbo : lbo}}, {{8, row}, {0, plain ? lbo : sbo}}};
}

inline std::int64_t walked(const std::vector<canonical_mode>& modes, std::int64_t index) {
  std::int64_t bits = 0;
  for (const canonical_mode& mode : modes) {
    const std::int64_t here = mode.extent == 0 ? index : index % mode.extent;
    bits += here * mode.stride;
    index = mode.extent == 0 ? 0 : index / mode.extent;
  }
  return bits;
}

/// The byte that wgmma reads for element (mn, k) of the operand.
inline std::int64_t read_byte(const operand& o, std::int64_t mn, std::int64_t k) {
  const canonical layout = canonical_of(o);
  return swizzled(o.start + (walked(layout.mn, mn) + walked(layout.k, k)) / 8, o.span);
}

/// The byte at which TMA puts element (mn, k) of a tile that comes in panels one span wide, back to back.
inline std::int64_t written_byte(int mn_extent, int k_extent, int bits, bool k_major, int span, std::int64_t mn,
                                 std::int64_t k) {
  const std::int64_t rows = k_major ? mn_extent : k_extent;
  const std::int64_t row = k_major ? mn : k;
  const std::int64_t along_bits = (k_major ? k : mn) * bits;
  const std::int64_t panel = along_bits / (8 * span);
  return swizzled(panel * rows * span + row * span + along_bits % (8 * span) / 8, span);
}

}  // namespace sectile_fuzz::hardware
