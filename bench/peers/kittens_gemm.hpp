// ThunderKittens' GEMM for the H100 behind a function. Nothing of it lies here: whoever builds this says where its
// include/, prototype/ and kernels/ are.
#pragma once
#include <kittens.cuh>
#include <prototype.cuh>

#include <chrono>
#include <cmath>
#include <iomanip>
#include <iostream>
#include <thread>
#include <vector>

#include "bench/peers/without_main.hpp"

#include <gemm/bf16_h100/bf16_h100_gemm.cu>
#undef main

namespace sectile::bench {

/// Queues C = A B, all row-major: B is k x n. Tiles are 128 x 256, those of `Rows` tiles along M follow each other, and
/// m, n and k are multiples of 128, 256 and 64.
template <int Rows>
cudaError_t kittens_gemm(const void* a, const void* b, void* c, int m, int n, int k, cudaStream_t on) {
  using tiles = matmul_template<2, 4, Rows>;
  using operand = typename tiles::layout::global_layout;
  const auto matrix = [](const void* data, int rows, int cols) {
    return operand(static_cast<kittens::bf16*>(const_cast<void*>(data)), nullptr, nullptr,
                   static_cast<std::size_t>(rows), static_cast<std::size_t>(cols));
  };
  constexpr int shared = kittens::MAX_SHARED_MEMORY - 1024;  // as its own program has it
  const auto kernel = &kittens::prototype::lcf::kernel<tiles>;
  if (const auto e = cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, shared); e) return e;
  kernel<<<tiles::grid(m, n, k), kittens::prototype::detail::NUM_THREADS_v<tiles>, shared, on>>>(
      {matrix(a, m, k), matrix(b, k, n), matrix(c, m, n)});
  return cudaGetLastError();
}

}  // namespace sectile::bench
