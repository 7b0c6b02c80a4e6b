// Where the kernels of a library for Python count the tiles that they draw.
#pragma once
#include <sectile/dsl/launch/launch.hpp>

namespace sectile::bench {

/// Of one stream at a time.
inline workspace tile_counter() {
  constexpr std::size_t bytes = 128;
  static void* const data = [] {
    void* memory = nullptr;
    hopper::check_cuda(cudaMalloc(&memory, bytes), "reserving the counter of tiles");
    return memory;
  }();
  return {data, bytes};
}

}  // namespace sectile::bench
