// One mma.sync, to hold beside wgmma.
#pragma once
#include <cstdint>

namespace sectile::conformance {

/// D(0,0) of mma.sync.m16n8k32 of e4m3 with f32: the sum of a[k] * b[k], and c.
float mma_e4m3(const std::uint8_t (&a)[32], const std::uint8_t (&b)[32], float c);

}  // namespace sectile::conformance
