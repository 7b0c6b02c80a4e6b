// The __global__ function of a kernel. It takes one named type, the kernel, because a template argument with an array
// in it (a plan, a layout) does not survive nvcc's host stub.
#pragma once
#include <sectile/dsl/hopper/tensor_map.hpp>
#include <sectile/dsl/roles/parameters.hpp>
#ifdef __CUDA_ARCH__  // the host's pass asks how a kernel is launched, and no more
#include <sectile/dsl/hopper/machine.hpp>
#include <sectile/dsl/roles/entry.hpp>
#endif

namespace sectile::hopper {

/// Empty in code for other GPUs: there a launch chooses another reading.
template <class K>
__global__ __launch_bounds__(head_of<K>.threads, 1) void run(
    const __grid_constant__ kernel_parameters<K, tensor_map> parameters) {
#ifdef __CUDA_ARCH_FEAT_SM90_ALL
  extern __shared__ __align__(1024) unsigned char shared[];
  machine hw{{}, {}, {}, {}, {}, static_cast<std::uint32_t>(__cvta_generic_to_shared(shared))};
  hw.begin_kernel();
  kernel_entry<K>(hw, parameters);
#elif __CUDA_ARCH__ == 900
  static_assert(sizeof(K) == 0,
                "wgmma exists on sm_90a only: compile with -gencode=arch=compute_90a,code=sm_90a, not for sm_90 "
                "(as -arch=sm_90a does besides)");
#endif
}

}  // namespace sectile::hopper
