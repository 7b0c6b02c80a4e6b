#include "tests/gpu/on_model.hpp"

#if __has_include(<sectile/dsl/launch/model.hpp>)
#include <sectile/dsl/launch/model.hpp>
#include <sectile/kernels/attention.hpp>
#include <sectile/kernels/gemm.hpp>

namespace sectile::gpu_test {

bool model_is_built_in() { return true; }

void gemm_on_model(const tensor_view<const bf16>& a, const tensor_view<const bf16>& b, const tensor_view<bf16>& c) {
  run_on_model<kernels::gemm_bf16>(a, b, c);
}
void gemm_on_model(const tensor_view<const bf16>& a, const tensor_view<const bf16>& b, const tensor_view<float>& c) {
  run_on_model<kernels::gemm_bf16_f32>(a, b, c);
}
void attention_on_model(attention_case& c) {
  using kernels::attention_mask;
  c.o.poison();
  with_views(c, c.q.bytes.data(), c.k.bytes.data(), c.v.bytes.data(), c.o.bytes.data(),
             [](auto dimension, auto causal, const auto&... arguments) {
               constexpr attention_mask mask = causal() ? attention_mask::causal : attention_mask::none;
               run_on_model<kernels::attention<dimension(), mask>>(arguments...);
             });
}

}  // namespace sectile::gpu_test

#else
#include <stdexcept>

namespace sectile::gpu_test {
namespace {
[[noreturn]] void refuse() { throw std::logic_error("this build cannot run kernels on the model"); }
}  // namespace

bool model_is_built_in() { return false; }

void gemm_on_model(const tensor_view<const bf16>&, const tensor_view<const bf16>&, const tensor_view<bf16>&) {
  refuse();
}
void gemm_on_model(const tensor_view<const bf16>&, const tensor_view<const bf16>&, const tensor_view<float>&) {
  refuse();
}
void attention_on_model(attention_case&) { refuse(); }

}  // namespace sectile::gpu_test
#endif
