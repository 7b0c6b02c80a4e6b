// C = A B^T by cuBLASLt, by any of the algorithms that its heuristic proposes.
//
// cuBLASLt counts in column-major order, where our row-major C is C^T = B A^T: its first operand is B, transposed.
#pragma once
#include <cublasLt.h>

#include <algorithm>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

#include "bench/device_data.hpp"

namespace sectile::bench {

inline void check(cublasStatus_t status, const char* doing) {
  if (status != CUBLAS_STATUS_SUCCESS)
    throw std::runtime_error(std::string(doing) + ": " + cublasLtGetStatusString(status));
}

/// One algorithm. (A named type around cuBLASLt's, which has none, because nvcc 13.0 fails on a std::vector of those.)
struct lt_candidate {
  cublasLtMatmulAlgo_t algorithm;
};

/// A is m x k, B is n x k, C is m x n, all row-major and packed, bf16 with f32 sums.
struct lt_product {
  static constexpr int most_candidates = 8;
  static constexpr std::size_t workspace_bytes = std::size_t{64}
                                                 << 20;  // more than the 32 MiB NVIDIA advises for Hopper

  std::vector<lt_candidate> candidates;  // the heuristic's first choice first

  lt_product(std::int64_t m, std::int64_t n, std::int64_t k) : workspace(workspace_bytes) {
    check(cublasLtCreate(&handle), "creating a cuBLASLt handle");
    check(cublasLtMatmulDescCreate(&operation, CUBLAS_COMPUTE_32F, CUDA_R_32F), "describing the product");
    const cublasOperation_t transposed = CUBLAS_OP_T;
    check(cublasLtMatmulDescSetAttribute(operation, CUBLASLT_MATMUL_DESC_TRANSA, &transposed, sizeof transposed),
          "describing the product");
    const auto extent = [](std::int64_t x) { return static_cast<std::uint64_t>(x); };
    check(cublasLtMatrixLayoutCreate(&b_layout, CUDA_R_16BF, extent(k), extent(n), k), "describing B");
    check(cublasLtMatrixLayoutCreate(&a_layout, CUDA_R_16BF, extent(k), extent(m), k), "describing A");
    check(cublasLtMatrixLayoutCreate(&c_layout, CUDA_R_16BF, extent(n), extent(m), n), "describing C");
    find_candidates();
  }
  ~lt_product() {
    cublasLtMatrixLayoutDestroy(c_layout);
    cublasLtMatrixLayoutDestroy(a_layout);
    cublasLtMatrixLayoutDestroy(b_layout);
    cublasLtMatmulDescDestroy(operation);
    cublasLtDestroy(handle);
  }
  lt_product(const lt_product&) = delete;
  lt_product& operator=(const lt_product&) = delete;

  /// Queues the product by the given candidate.
  void run(std::size_t candidate, const bf16* a, const bf16* b, bf16* c, cudaStream_t on) const {
    const float one = 1, zero = 0;
    check(cublasLtMatmul(handle, operation, &one, b, b_layout, a, a_layout, &zero, c, c_layout, c, c_layout,
                         &candidates[candidate].algorithm, workspace.data, workspace_bytes, on),
          "running cuBLASLt");
  }

 private:
  cublasLtHandle_t handle{};
  cublasLtMatmulDesc_t operation{};
  cublasLtMatrixLayout_t a_layout{}, b_layout{}, c_layout{};
  device_buffer<unsigned char> workspace;

  void find_candidates() {
    cublasLtMatmulPreference_t preference{};
    check(cublasLtMatmulPreferenceCreate(&preference), "asking the heuristic");
    check(cublasLtMatmulPreferenceSetAttribute(preference, CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES, &workspace_bytes,
                                               sizeof workspace_bytes),
          "asking the heuristic");
    cublasLtMatmulHeuristicResult_t answers[most_candidates]{};
    int found = 0;
    const cublasStatus_t status = cublasLtMatmulAlgoGetHeuristic(
        handle, operation, b_layout, a_layout, c_layout, c_layout, preference, most_candidates, answers, &found);
    cublasLtMatmulPreferenceDestroy(preference);
    check(status, "asking the heuristic");
    for (int i = 0; i < found; ++i)
      if (answers[i].state == CUBLAS_STATUS_SUCCESS) candidates.push_back({answers[i].algo});
    if (candidates.empty()) throw std::runtime_error("cuBLASLt's heuristic knows no algorithm for this product");
  }
};

}  // namespace sectile::bench
