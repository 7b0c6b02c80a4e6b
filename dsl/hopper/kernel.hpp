// The __global__ function of a kernel. It takes one named type, the kernel, because a template argument with an array in
// it (a plan, a layout) does not survive nvcc's host stub.
#pragma once
#include <sectile/dsl/hopper/machine.hpp>
#include <sectile/dsl/roles/entry.hpp>

namespace sectile::hopper {

template <class K>
__global__ __launch_bounds__(plan_of<K>.threads, 1) void run(
    const __grid_constant__ kernel_parameters<K, machine> parameters) {
  extern __shared__ __align__(1024) unsigned char shared[];
  machine hw{{}, {}, {}, {}, static_cast<std::uint32_t>(__cvta_generic_to_shared(shared))};
  kernel_entry<K>(hw, parameters);
}

}  // namespace sectile::hopper
