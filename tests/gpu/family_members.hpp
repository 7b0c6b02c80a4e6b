// The members of gemm_bf16_family on a GPU, as plain functions. Their machine code takes minutes to make, so one file
// holds it for all programs that run them.
#pragma once
#include <cuda_runtime_api.h>

#include <sectile/dsl/launch/tensor_view.hpp>
#include <sectile/layouts/element.hpp>
#include <string>
#include <vector>

namespace sectile {
struct family_facts;
}

namespace sectile::gpu_test {

/// Queues C = A B^T on the stream. The views are of device memory.
using gemm_launch = void (*)(const tensor_view<const bf16>& a, const tensor_view<const bf16>& b,
                             const tensor_view<bf16>& c, cudaStream_t stream);

struct family_member {
  std::string name;  // "member 3, 16x128x128 s6 c1x1 swap overlap both"
  gemm_launch launch = nullptr;
};
/// In the order of the configurations.
const std::vector<family_member>& gemm_bf16_members();

/// A launch of the family, which picks one of them by the sizes; and what it picks by.
void launch_gemm_bf16_family(const tensor_view<const bf16>& a, const tensor_view<const bf16>& b,
                             const tensor_view<bf16>& c, cudaStream_t stream);
const family_facts& gemm_bf16_family_facts();

}  // namespace sectile::gpu_test
