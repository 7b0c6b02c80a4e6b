#include <sectile/dsl.hpp>

#ifdef __CUDACC__
__global__ void does_nothing() {}
#endif

// 1 when nvcc compiled this file, 0 when the host compiler did.
int compiled_by_nvcc() {
#ifdef __CUDACC__
  does_nothing<<<1, 1>>>();
  return SECTILE_HAS_CUDA;
#else
  return SECTILE_HAS_CUDA;
#endif
}
