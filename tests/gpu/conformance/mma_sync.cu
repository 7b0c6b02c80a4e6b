#include "mma_sync.hpp"

#include <cuda_runtime.h>

namespace sectile::conformance {
namespace {

struct operands {
  std::uint32_t a[8], b[8];
  float c;
};

/// All rows of A are a and all columns of B are b. PTX ISA, "Matrix Fragments for mma.m16n8k32".
__global__ void multiply(const operands x, float* d) {
  const int quad = static_cast<int>(threadIdx.x) % 4;
  float d0 = x.c, d1 = x.c, d2 = x.c, d3 = x.c;
  asm volatile(
      "mma.sync.aligned.m16n8k32.row.col.f32.e4m3.e4m3.f32 {%0, %1, %2, %3}, {%4, %4, %5, %5}, {%6, %7}, {%0, %1, %2, "
      "%3};"
      : "+f"(d0), "+f"(d1), "+f"(d2), "+f"(d3)
      : "r"(x.a[quad]), "r"(x.a[quad + 4]), "r"(x.b[quad]), "r"(x.b[quad + 4]));
  if (threadIdx.x == 0) *d = d0;
}

}  // namespace

float mma_e4m3(const std::uint8_t (&a)[32], const std::uint8_t (&b)[32], float c) {
  operands x{};
  x.c = c;
  for (int i = 0; i < 32; ++i) {
    x.a[i / 4] |= std::uint32_t{a[i]} << 8 * (i % 4);
    x.b[i / 4] |= std::uint32_t{b[i]} << 8 * (i % 4);
  }
  float* d = nullptr;
  float result = 0;
  if (cudaMalloc(reinterpret_cast<void**>(&d), sizeof(float)) != cudaSuccess) return -1;
  multiply<<<1, 32>>>(x, d);
  cudaMemcpy(&result, d, sizeof(float), cudaMemcpyDeviceToHost);
  cudaFree(d);
  return result;
}

}  // namespace sectile::conformance
