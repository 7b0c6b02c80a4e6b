// C = A B^T with A 2:4 sparse (tf32: 1:2) by cuSPARSELt, by the algorithm that its own search finds fastest.
#pragma once
#include <cusparseLt.h>

#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <type_traits>

#include "bench/cublaslt.hpp"
#include "bench/device_data.hpp"

namespace sectile::bench {

inline void check(cusparseStatus_t status, const char* doing) {
  if (status != CUSPARSE_STATUS_SUCCESS)
    throw std::runtime_error(std::string(doing) + ": " + cusparseLtGetErrorString(status));
}

/// The types of a sparse product, in cuSPARSELt's words. Floats are summed in f32 (tf32 is a float there).
struct sp_types {
  cudaDataType_t a, b, c;
  cusparseComputeType compute;
};

template <class Left, class Right, class Out>
constexpr sp_types sp_types_of() {
  return {cuda_type(element_of<Left>()), cuda_type(element_of<Right>()), cuda_type(element_of<Out>()),
          std::is_same_v<Left, s8> ? CUSPARSE_COMPUTE_32I : CUSPARSE_COMPUTE_32F};
}

/// An algorithm of cuSPARSELt's, by its numbers.
struct sp_algorithm {
  int id = 0, parts = 1, mode = 0;  // parts of each sum, and how they meet
};

/// A is m x k, B is n x k, C is m x n, all row-major and packed. compress() A first, then search() once or prepare(),
/// then run().
struct sp_product {
  /// By an algorithm that is known, or, without, by the default one until search() finds a faster one.
  sp_product(std::int64_t m, std::int64_t n, std::int64_t k, const sp_types& types,
             const std::optional<sp_algorithm>& known = std::nullopt) {
    check(cusparseLtInit(&handle), "creating a cuSPARSELt handle");
    constexpr std::uint32_t alignment = 16;
    constexpr auto order = CUSPARSE_ORDER_ROW;
    check(cusparseLtStructuredDescriptorInit(&handle, &a_layout, m, k, k, alignment, types.a, order,
                                             CUSPARSELT_SPARSITY_50_PERCENT),
          "describing A to cuSPARSELt");
    check(cusparseLtDenseDescriptorInit(&handle, &b_layout, n, k, k, alignment, types.b, order),
          "describing B to cuSPARSELt");
    check(cusparseLtDenseDescriptorInit(&handle, &c_layout, m, n, n, alignment, types.c, order),
          "describing C to cuSPARSELt");
    check(cusparseLtMatmulDescriptorInit(&handle, &operation, CUSPARSE_OPERATION_NON_TRANSPOSE,
                                         CUSPARSE_OPERATION_TRANSPOSE, &a_layout, &b_layout, &c_layout, &c_layout,
                                         types.compute),
          "describing the product to cuSPARSELt");
    check(cusparseLtMatmulAlgSelectionInit(&handle, &selection, &operation, CUSPARSELT_MATMUL_ALG_DEFAULT),
          "choosing an algorithm of cuSPARSELt");
    if (known) settle_on(*known);
    check(cusparseLtMatmulPlanInit(&handle, &plan, &operation, &selection), "planning with cuSPARSELt");
  }
  ~sp_product() {
    cusparseLtMatmulPlanDestroy(&plan);
    cusparseLtMatmulAlgSelectionDestroy(&selection);
    cusparseLtMatDescriptorDestroy(&c_layout);
    cusparseLtMatDescriptorDestroy(&b_layout);
    cusparseLtMatDescriptorDestroy(&a_layout);
    cusparseLtDestroy(&handle);
  }
  sp_product(const sp_product&) = delete;
  sp_product& operator=(const sp_product&) = delete;

  /// A dense matrix in which at most two of four neighbours (tf32: one of two) are non-zero, in cuSPARSELt's own form.
  /// Waits for it.
  device_buffer<unsigned char> compress(const void* dense, const stream& on) const {
    std::size_t bytes = 0, scratch_bytes = 0;
    check(cusparseLtSpMMACompressedSize(&handle, &plan, &bytes, &scratch_bytes), "sizing cuSPARSELt's form of A");
    device_buffer<unsigned char> form(bytes);
    const device_buffer<unsigned char> scratch(scratch_bytes);
    check(cusparseLtSpMMACompress(&handle, &plan, dense, form.data, scratch.data, on.handle),
          "compressing A with cuSPARSELt");
    on.wait();
    return form;
  }

  /// Runs every algorithm and settles on the fastest. C is overwritten. Waits for it.
  void search(const device_buffer<unsigned char>& a, const void* b, void* c, const stream& on) {
    cudaStream_t streams[]{on.handle};
    const float one = 1, zero = 0;
    reserve_workspace();
    check(cusparseLtMatmulSearch(&handle, &plan, &one, a.data, b, &zero, c, c, workspace->data, streams, 1),
          "searching for cuSPARSELt's fastest algorithm");
    on.wait();
    reserve_workspace();
  }

  /// In place of search().
  void prepare() { reserve_workspace(); }
  /// What search() has settled on.
  sp_algorithm algorithm() const {
    sp_algorithm found;
    get(CUSPARSELT_MATMUL_ALG_CONFIG_ID, found.id);
    get(CUSPARSELT_MATMUL_SPLIT_K, found.parts);
    get(CUSPARSELT_MATMUL_SPLIT_K_MODE, found.mode);
    return found;
  }

  /// Queues the product.
  void run(const device_buffer<unsigned char>& a, const void* b, void* c, cudaStream_t on) const {
    const float one = 1, zero = 0;
    check(cusparseLtMatmul(&handle, &plan, &one, a.data, b, &zero, c, c, workspace->data, &on, 1),
          "running cuSPARSELt");
  }

 private:
  cusparseLtHandle_t handle{};
  cusparseLtMatDescriptor_t a_layout{}, b_layout{}, c_layout{};
  cusparseLtMatmulDescriptor_t operation{};
  cusparseLtMatmulAlgSelection_t selection{};
  cusparseLtMatmulPlan_t plan{};
  std::optional<device_buffer<unsigned char>> workspace;

  void get(cusparseLtMatmulAlgAttribute_t what, int& value) const {
    check(cusparseLtMatmulAlgGetAttribute(&handle, &selection, what, &value, sizeof value),
          "asking which algorithm of cuSPARSELt was the fastest");
  }
  void set(cusparseLtMatmulAlgAttribute_t what, const int& value) {
    check(cusparseLtMatmulAlgSetAttribute(&handle, &selection, what, &value, sizeof value),
          "choosing an algorithm of cuSPARSELt");
  }
  void settle_on(const sp_algorithm& known) {
    set(CUSPARSELT_MATMUL_ALG_CONFIG_ID, known.id);
    if (known.parts <= 1) return;
    set(CUSPARSELT_MATMUL_SPLIT_K, known.parts);
    set(CUSPARSELT_MATMUL_SPLIT_K_MODE, known.mode);
  }
  void reserve_workspace() {
    std::size_t bytes = 0;
    check(cusparseLtMatmulGetWorkspace(&handle, &plan, &bytes), "asking for cuSPARSELt's workspace");
    workspace.reset();
    workspace.emplace(bytes);
  }
};

}  // namespace sectile::bench
