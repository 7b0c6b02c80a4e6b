// The operands of one wgmma, fetched from where the hardware would fetch them: descriptors decoded, register fragments
// taken apart.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <sectile/layouts/encoded_descriptor.hpp>
#include <sectile/layouts/major.hpp>
#include <unordered_map>
#include <vector>

namespace sectile::model {

struct shared_memory;

/// Row r of an operand, K-contiguous, is bytes 32 r .. 32 r + 31: the K of every wgmma is 32 bytes, except that a row
/// of B has twice as many where A is sparse.
inline constexpr int operand_row_bytes = 32;

/// The 16-byte pieces of an operand in shared memory, in the order in which gather() wants them. Addresses are relative
/// to the descriptor's start rounded down to 1024 bytes, in which every swizzle pattern repeats.
struct operand_chunks {
  std::vector<std::uint32_t> offset;
  std::uint32_t first = 0, last = 0;  ///< smallest and largest offset
};

struct operand_shape {
  int rows;  ///< extent along M or N
  int element_bits;
  major direction;
  int row_bytes = operand_row_bytes;  ///< along K: 32 or 64

  int columns() const { return 8 * row_bytes / element_bits; }
};

/// Works out chunk addresses once for each form of descriptor.
struct chunk_cache {
  /// Precondition: check(descriptor).ok().
  const operand_chunks& chunks(std::uint64_t descriptor, const operand_shape& shape);

 private:
  struct key {
    std::uint64_t descriptor;
    std::uint32_t shape;
    friend bool operator==(const key&, const key&) = default;
  };
  struct hash {
    std::size_t operator()(const key& k) const { return (k.descriptor ^ k.shape) * 0x9E37'79B9'7F4A'7C15u >> 7; }
  };
  std::unordered_map<key, operand_chunks, hash> known_;
};

/// Start of the descriptor rounded down: what chunk offsets count from.
inline std::uint32_t chunk_base(std::uint64_t descriptor) {
  return sectile::decode(descriptor).start_bytes & ~std::uint32_t{1023};
}

/// Copies an operand out of shared memory into rows of shape.row_bytes.
void gather(const shared_memory& memory, std::uint32_t base, const operand_chunks& chunks, const operand_shape& shape,
            std::byte* rows);

/// The same for operand A in registers: four of each of the 128 threads.
void gather(const std::array<const std::uint32_t*, 128>& registers, int element_bits, std::byte* rows);

}  // namespace sectile::model
