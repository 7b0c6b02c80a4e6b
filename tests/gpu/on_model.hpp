// The kernels under test on the CPU model of the machine.
#pragma once
#include <sectile/dsl/launch/tensor_view.hpp>

#include "tests/gpu/attention_case.hpp"

namespace sectile::gpu_test {

/// Whether this build can run kernels on the model. If not, the functions below throw std::logic_error.
bool model_is_built_in();

/// C = A B^T by gemm_bf16 or gemm_bf16_f32; the views are of host memory.
void gemm_on_model(const tensor_view<const bf16>& a, const tensor_view<const bf16>& b, const tensor_view<bf16>& c);
void gemm_on_model(const tensor_view<const bf16>& a, const tensor_view<const bf16>& b, const tensor_view<float>& c);
/// Attention forward of the case into c.o, which is poisoned.
void attention_on_model(attention_case& c);

}  // namespace sectile::gpu_test
