// The __global__ function of a portable reading.
#pragma once
#ifdef __CUDACC__
#include <sectile/dsl/portable/cuda_machine.hpp>
#include <sectile/dsl/portable/entry.hpp>

namespace sectile::portable {

/// Compiled for every architecture of the build. Where the types do not exist it is empty; a launch checks the device
/// first.
template <class K, class How>
__global__ __launch_bounds__((portable_plan_of<K, How>.threads)) void run(const __grid_constant__ parameters<K> all) {
#ifdef __CUDA_ARCH__
  if constexpr (__CUDA_ARCH__ >= 10 * portable_plan_of<K, How>.architecture) {
    cuda_machine hw{};
    kernel_entry<K, How>(hw, static_cast<int>(blockIdx.x), all);
  }
#endif
}

}  // namespace sectile::portable
#endif  // __CUDACC__
