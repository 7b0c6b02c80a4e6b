// One issue of one instruction by one warpgroup.
#pragma once
#include <cstdint>

namespace sectile::conformance {

struct job {
  std::uint64_t a, b;       // descriptors, relative to the start of shared memory
  int variant;              // which row
  int accumulate;           // scale-d
  int first_chunk, chunks;  // pieces of 16 bytes that go into shared memory
  int shared_bytes;         // of shared memory that the operands' tiles take; what no piece covers is noise
};

/// The word of noise at byte 4 * i.
constexpr std::uint32_t noise_at(unsigned i) { return i * 2654435761u; }

}  // namespace sectile::conformance
