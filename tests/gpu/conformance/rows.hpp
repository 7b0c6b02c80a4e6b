// Every row of the instruction table as code on the GPU: a batch of jobs of one family and one N.
#pragma once
#include <cuda_runtime.h>

#include <cstdint>
#include <sectile/dsl/tell/instructions_by_number.hpp>

#include "job.hpp"

namespace sectile::conformance {

/// The forms that one kernel holds: all rows of a family with the same N. Number v of them is row n + n_choices * v.
constexpr int variants(const instruction_family& f) { return instructions_of(f) / f.n_choices(); }

constexpr wgmma_instruction variant_of(const instruction_family& f, int n_index, int variant) {
  return instruction_of(f, n_index + f.n_choices() * variant);
}

/// Jobs and what they read and write, in device memory.
struct batch {
  const job* jobs;
  const uint4* chunk;                // contents of the pieces
  const std::uint32_t* chunk_place;  // and their byte addresses in shared memory
  const std::uint32_t* sources;      // of each job 5 x 128 words: four registers of A and the metadata of each thread
  std::uint32_t* d;                  // of each job accumulator_registers x 128 words, C before, D after
};

/// Issues `count` jobs of family F with its n_index-th N. `shared_bytes`: the most that one of them takes.
template <int F>
cudaError_t issue_jobs(int n_index, const batch& b, int count, int shared_bytes, cudaStream_t stream);

}  // namespace sectile::conformance
