// The GEMM of CuTe's tutorial for Hopper behind a function: its kernel, with layouts and an instruction of bf16 that
// are made here as its own host function makes those of f16. Nothing of it lies here: whoever builds this says where
// CUTLASS is.
#pragma once
#include <cute/tensor.hpp>

#include <thrust/device_vector.h>
#include <thrust/host_vector.h>

#include <cutlass/arch/barrier.h>
#include <cutlass/cluster_launch.hpp>
#include <cutlass/pipeline/sm90_pipeline.hpp>
#include <cutlass/util/GPU_Clock.hpp>
#include <cutlass/util/helper_cuda.hpp>
#include <cutlass/util/print_error.hpp>

#include "bench/peers/without_main.hpp"

#include <cute/tutorial/hopper/wgmma_tma_sm90.cu>
#undef main

namespace sectile::bench {

/// An element of C, which the kernel makes of a float without being asked to.
struct rounded_bf16 {
  cute::bfloat16_t value;

  CUTE_HOST_DEVICE rounded_bf16(float x) : value(x) {}
  CUTE_HOST_DEVICE operator float() const { return static_cast<float>(value); }
};

/// Queues C = A B^T, all row-major, in tiles of 128 x 128 x 64 and three stages, as the tutorial has them. m and n are
/// multiples of 256 and 128, k one of 64 that is at least 192.
inline cutlass::Status cute_gemm(const cute::bfloat16_t* a, const cute::bfloat16_t* b, rounded_bf16* c, int m, int n,
                                 int k, cudaStream_t on) {
  using element = cute::bfloat16_t;
  using one = cute::Int<1>;
  using tile = cute::Shape<cute::_128, cute::_128, cute::_64>;
  using rows = cute::Shape<cute::_128, cute::_64>;
  using atom = cute::GMMA::Layout_K_SW128_Atom<element>;
  const auto stages = cute::tile_to_shape(atom{}, cute::Shape<cute::_128, cute::_64, cute::_3>{});  // of A, and of B
  const auto product =
      cute::make_tiled_mma(cute::SM90_64x64x16_F32BF16BF16_SS<cute::GMMA::Major::K, cute::GMMA::Major::K>{});
  const auto copy_of = [&](const element* data, int extent) {
    const auto all = cute::make_tensor(data, cute::make_shape(extent, k), cute::make_stride(k, one{}));
    return cute::make_tma_atom(cute::SM90_TMA_LOAD{}, all, stages(cute::_, cute::_, 0), rows{});
  };
  const auto copy_a = copy_of(a, m), copy_b = copy_of(b, n);
  const auto sizes = cute::make_shape(m, n, k);
  const auto strides = cute::make_stride(n, one{});
  constexpr int shared = static_cast<int>(sizeof(SharedStorage<element, element, decltype(stages), decltype(stages)>));
  const auto kernel =
      &gemm_device<decltype(sizes), tile, element, decltype(stages), decltype(copy_a), element, decltype(stages),
                   decltype(copy_b), rounded_bf16, decltype(strides), decltype(product), float, float>;
  if (cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, shared) != cudaSuccess)
    return cutlass::Status::kErrorInternal;
  const cutlass::ClusterLaunchParams how{dim3(static_cast<unsigned>(m / 128), static_cast<unsigned>(n / 128)),
                                         dim3(128), dim3(2), shared, on};
  return cutlass::launch_kernel_on_cluster(how, reinterpret_cast<const void*>(kernel), sizes, tile{}, a, copy_a, b,
                                           copy_b, c, strides, product, 1.0f, 0.0f);
}

}  // namespace sectile::bench
