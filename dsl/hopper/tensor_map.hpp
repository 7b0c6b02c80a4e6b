// What TMA is told of a tensor.
#pragma once
#include <cstdint>

namespace sectile::hopper {

/// Which lines L2 gives up first, as createpolicy makes them of all that a copy brings.
inline constexpr std::uint64_t keep_as_usual = 0x1000'0000'0000'0000, give_up_first = 0x12F0'0000'0000'0000;

/// 128 opaque bytes that cuTensorMapEncodeTiled fills, the same as CUtensorMap, without cuda.h; and what becomes in L2 of
/// what is loaded by it.
struct alignas(128) tensor_map {
  std::uint64_t opaque[16];
  std::uint64_t policy = keep_as_usual;
};

}  // namespace sectile::hopper
