#pragma once
// Swizzles: a bijection on offsets that XORs one field of bits into another, so that a column of a tile falls
// into different shared memory banks. This is the plain value; layouts/swizzled.hpp puts one behind a layout.
//
// Swizzle <bits, base, shift> takes the `bits` bits that start at bit base + shift (shift > 0) and XORs them into
// the `bits` bits that start at bit base; with shift < 0 the two fields change places. What one unit of offset
// means (a byte, an element) is up to the user; recast() converts between units.
//
// Source: the hardware modes are those of the tensor map and of the wgmma matrix descriptor (PTX ISA, "Strides"
// and "Swizzling modes" of asynchronous matrix operands); the three-number notation is CuTe's.

#include <sectile/layouts/free_letters.hpp>

#include <cstdint>

namespace sectile {

/// x -> x XOR (a field of x, moved). The default is the identity, written with the base and shift of the hardware.
struct swizzle {
  int bits = 0;
  int base = 4;
  int shift = 3;

  /// Mask of the bits that are read.
  constexpr std::int64_t source_mask() const {
    return ((std::int64_t{1} << bits) - 1) << (base + (shift > 0 ? shift : 0));
  }

  /// Mask of the bits that may change.
  constexpr std::int64_t target_mask() const {
    return ((std::int64_t{1} << bits) - 1) << (base - (shift < 0 ? shift : 0));
  }

  /// The smallest power of two such that (*this)(x + period) == (*this)(x) + period for every x.
  constexpr std::int64_t period() const {
    return bits == 0 ? 1 : std::int64_t{1} << (bits + base + (shift < 0 ? -shift : shift));
  }

  /// Where offset x goes; its own inverse. Precondition: is_valid(*this), x >= 0.
  constexpr std::int64_t operator()(std::int64_t x) const {
    const std::int64_t field = x & source_mask();
    return x ^ (shift >= 0 ? field >> shift : field << -shift);
  }

  friend constexpr bool operator==(const swizzle&, const swizzle&) = default;
};

/// The swizzles that TMA and wgmma know, named by the bytes of a row over which 16-byte pieces are exchanged.
enum class swizzle_mode : std::uint8_t { none, b32, b64, b128 };

/// Bytes of a row over which the mode exchanges 16-byte pieces: 16, 32, 64, 128.
constexpr int span_bytes(swizzle_mode mode) { return 16 << static_cast<int>(mode); }

/// The mode as a swizzle of byte addresses: <0,4,3>, <1,4,3>, <2,4,3>, <3,4,3>.
constexpr swizzle byte_swizzle(swizzle_mode mode) { return {static_cast<int>(mode), 4, 3}; }

/// Bytes after which the mode's pattern repeats, and so the alignment a tile needs for a base offset of 0:
/// 256, 512, 1024 for b32, b64, b128. Without a swizzle it is the 128 that TMA asks of any shared memory address.
constexpr int pattern_bytes(swizzle_mode mode) { return 128 << static_cast<int>(mode); }

}  // namespace sectile
