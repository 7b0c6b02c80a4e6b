// Runs prepared cases on the GPU.
#pragma once
#include <cuda_runtime.h>

#include <vector>

#include "cases.hpp"

namespace sectile::conformance {

struct job_buffers;

/// Throws on an error of CUDA's.
void check(cudaError_t e, const char* doing);

/// One stream and its buffers, for one host thread.
struct gpu_runner {
  static constexpr int most_cases = 160;

  gpu_runner();
  ~gpu_runner();
  gpu_runner(const gpu_runner&) = delete;
  gpu_runner& operator=(const gpu_runner&) = delete;

  /// Issues the instruction of each case and puts D where C was. All cases are of this family and N, and say which form
  /// they are in work.variant. At most most_cases of them.
  void run(int family, int n_index, std::vector<prepared_case>& cases);

 private:
  cudaStream_t stream_{};
  job_buffers* buffers_;
};

}  // namespace sectile::conformance
