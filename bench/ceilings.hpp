// The cases of bench/ceilings.cu: kernels of nothing but wgmma. Each family of types is compiled by itself.
#pragma once
#include <cuda_runtime_api.h>

#include <sectile/dsl/plan/instruction.hpp>
#include <vector>

namespace sectile::bench {

/// How often such a kernel multiplies, and what it leaves behind.
struct ceiling_work {
  int tiles = 0;                // times that its sums begin anew
  float* squares = nullptr;     // of each thread: of its sums, added up
  long long* cycles = nullptr;  // of each CTA, by the clock of its SM
};

/// One kernel. A CTA of `warpgroups` warpgroups, with the most shared memory there is: one for each SM.
struct ceiling_case {
  wgmma_instruction instruction{};
  int warpgroups = 0;
  int instructions = 0;    // of a warpgroup for a tile
  double mean_square = 0;  // of a sum, as the random data have it
  void (*launch)(const ceiling_work& work, int ctas, cudaStream_t on) = nullptr;

  int threads() const { return 128 * warpgroups; }
  /// Sums of a CTA.
  double sums() const { return 64.0 * instruction.n * warpgroups; }
  /// Cycles that the tensor cores need for a tile: an instruction takes N / 2 (dsl/launch/cost.hpp).
  double tile_cycles() const { return warpgroups * instructions * instruction.n / 2.0; }
  /// Of a CTA for a tile; of a sparse A those of the dense one.
  double tile_flops() const { return 2 * sums() * instructions * instruction.k; }
};

void add_bf16_ceilings(std::vector<ceiling_case>& to);     // bf16
void add_f16_ceilings(std::vector<ceiling_case>& to);      // f16, summed in f32 and in f16
void add_tf32_ceilings(std::vector<ceiling_case>& to);     // tf32
void add_fp8_ceilings(std::vector<ceiling_case>& to);      // 8-bit floats
void add_integer_ceilings(std::vector<ceiling_case>& to);  // 8-bit integers and bits

}  // namespace sectile::bench
