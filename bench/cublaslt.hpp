// C = A B^T by cuBLASLt, by any of the algorithms that its heuristic proposes, in any types that it multiplies so.
//
// cuBLASLt counts in column-major order, where our row-major C is C^T = B A^T: its first operand is B, transposed.
#pragma once
#include <cublasLt.h>

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

/// Whether CUDA has a name for an element type, and which. tf32 is a float there; how it is multiplied is up to the
/// product.
constexpr bool cuda_has(const element& e) {
  for (const element& known : {element_of<f16>(), element_of<bf16>(), element_of<e4m3>(), element_of<e5m2>(),
                               element_of<s8>(), element_of<s32>(), element_of<tf32>(), element_of<float>()})
    if (e == known) return true;
  return false;
}
constexpr cudaDataType_t cuda_type(const element& e) {
  return e == element_of<f16>()    ? CUDA_R_16F
         : e == element_of<bf16>() ? CUDA_R_16BF
         : e == element_of<e4m3>() ? CUDA_R_8F_E4M3
         : e == element_of<e5m2>() ? CUDA_R_8F_E5M2
         : e == element_of<s8>()   ? CUDA_R_8I
         : e == element_of<s32>()  ? CUDA_R_32I
                                   : CUDA_R_32F;
}

/// The types of a product, in cuBLASLt's words.
struct lt_types {
  cudaDataType_t a, b, c;
  cublasComputeType_t compute;
  cudaDataType_t scale;  // of the factors before A B^T and C
  std::uint32_t one;     // 1 in that type, in the low bytes
  bool fp8;
};

/// Precondition: cuda_has each of them.
constexpr lt_types lt_types_of(const element& left, const element& right, const element& out, const element& sum) {
  lt_types t{cuda_type(left), cuda_type(right), cuda_type(out), CUBLAS_COMPUTE_32F, CUDA_R_32F, 0x3F80'0000, false};
  if (left == element_of<tf32>()) t.compute = CUBLAS_COMPUTE_32F_FAST_TF32;
  if (sum == element_of<f16>()) {
    t.compute = CUBLAS_COMPUTE_16F;
    t.scale = CUDA_R_16F;
    t.one = 0x3C00;
  }
  if (sum == element_of<s32>()) {
    t.compute = CUBLAS_COMPUTE_32I;
    t.scale = CUDA_R_32I;
    t.one = 1;
  }
  t.fp8 = left == element_of<e4m3>() || left == element_of<e5m2>();
  return t;
}
template <class Left, class Right, class Out, class Sum>
constexpr lt_types lt_types_of() {
  static_assert(cuda_has(element_of<Left>()) && cuda_has(element_of<Right>()) && cuda_has(element_of<Out>()),
                "lt_types_of: CUDA has no name for one of the types");
  return lt_types_of(element_of<Left>(), element_of<Right>(), element_of<Out>(), element_of<Sum>());
}

/// One algorithm. (A named type around cuBLASLt's, which has none, because nvcc 13.0 fails on a std::vector of those.)
struct lt_candidate {
  cublasLtMatmulAlgo_t algorithm;
};

/// A is m x k, B is n x k, C is m x n, all row-major and packed; bf16 with f32 sums unless `types` says otherwise.
/// Products of 8-bit floats are summed as the tensor cores do it ("fast accumulation"), with no promotion on the way.
struct lt_product {
  static constexpr int most_candidates = 8;
  static constexpr std::size_t workspace_bytes = std::size_t{64}
                                                 << 20;  // more than the 32 MiB NVIDIA advises for Hopper

  std::vector<lt_candidate> candidates;  // the heuristic's first choice first

  /// `bias`: n elements in device memory of C's type, where the epilogue takes one.
  lt_product(std::int64_t m, std::int64_t n, std::int64_t k,
             const lt_types& types = lt_types_of<bf16, bf16, bf16, float>(),
             cublasLtEpilogue_t epilogue = CUBLASLT_EPILOGUE_DEFAULT, const void* bias = nullptr)
      : one(types.one), workspace(workspace_bytes) {
    check(cublasLtCreate(&handle), "creating a cuBLASLt handle");
    check(cublasLtMatmulDescCreate(&operation, types.compute, types.scale), "describing the product");
    set(CUBLASLT_MATMUL_DESC_TRANSA, CUBLAS_OP_T);
    if (types.fp8) set(CUBLASLT_MATMUL_DESC_FAST_ACCUM, std::int8_t{1});
    if (epilogue != CUBLASLT_EPILOGUE_DEFAULT) set(CUBLASLT_MATMUL_DESC_EPILOGUE, epilogue);
    if (bias != nullptr) set(CUBLASLT_MATMUL_DESC_BIAS_POINTER, bias);
    const auto extent = [](std::int64_t x) { return static_cast<std::uint64_t>(x); };
    check(cublasLtMatrixLayoutCreate(&b_layout, types.b, extent(k), extent(n), k), "describing B");
    check(cublasLtMatrixLayoutCreate(&a_layout, types.a, extent(k), extent(m), k), "describing A");
    check(cublasLtMatrixLayoutCreate(&c_layout, types.c, extent(n), extent(m), n), "describing C");
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

  /// Queues the product by the given candidate; what is at `onto`, if given, is added to it (beta = 1).
  void run(std::size_t candidate, const void* a, const void* b, void* c, cudaStream_t on,
           const void* onto = nullptr) const {
    const std::uint32_t zero = 0;
    check(cublasLtMatmul(handle, operation, &one, b, b_layout, a, a_layout, onto ? &one : &zero, onto ? onto : c,
                         c_layout, c, c_layout, &candidates[candidate].algorithm, workspace.data, workspace_bytes, on),
          "running cuBLASLt");
  }

 private:
  std::uint32_t one;
  cublasLtHandle_t handle{};
  cublasLtMatmulDesc_t operation{};
  cublasLtMatrixLayout_t a_layout{}, b_layout{}, c_layout{};
  device_buffer<unsigned char> workspace;

  template <class T>
  void set(cublasLtMatmulDescAttributes_t attribute, const T& value) {
    check(cublasLtMatmulDescSetAttribute(operation, attribute, &value, sizeof value), "describing the product");
  }

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
