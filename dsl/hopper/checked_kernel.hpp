// The __global__ function of a checked kernel.
#pragma once
#include <sectile/dsl/hopper/checked.hpp>
#include <sectile/dsl/roles/entry.hpp>

namespace sectile::hopper {

template <class K>
__global__ __launch_bounds__(head_of<K>.threads, 1) void run_checked(
    const __grid_constant__ kernel_parameters<K, tensor_map> parameters, const __grid_constant__ watch how) {
#if !defined(__CUDA_ARCH__) || defined(__CUDA_ARCH_FEAT_SM90_ALL)
  extern __shared__ __align__(1024) unsigned char shared[];
  checked_machine<K> hw{{{}, {}, {}, {}, {}, static_cast<std::uint32_t>(__cvta_generic_to_shared(shared))}, how};
  hw.begin_kernel();
  hw.begin();
  kernel_entry<K>(hw, parameters);
  hw.end();
#endif
}

}  // namespace sectile::hopper
