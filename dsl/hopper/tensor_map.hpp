// What TMA is told of a tensor.
#pragma once
#include <cstdint>

namespace sectile::hopper {

/// 128 opaque bytes that cuTensorMapEncodeTiled fills: the same as CUtensorMap, without cuda.h.
struct alignas(128) tensor_map {
  std::uint64_t opaque[16];
};

}  // namespace sectile::hopper
