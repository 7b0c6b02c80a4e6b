// Attention's gradients.
#pragma once

#include <sectile/kernels/attention_backward.hpp>

#include "tool/kernels/attention.hpp"

namespace sectile::tool {

template <kernels::attention_form Form, class T>
formula formula_of(kernel_type<kernels::attention_delta<Form, T>>) {
  return attention_formula{.pass = attention_pass::row_numbers};
}
template <kernels::attention_form Form, class T>
formula formula_of(kernel_type<kernels::attention_keys_backward<Form, T>>) {
  return form_of_attention<Form>(attention_pass::keys);
}
template <kernels::attention_form Form, class T>
formula formula_of(kernel_type<kernels::attention_queries_backward<Form, T>>) {
  return form_of_attention<Form>(attention_pass::queries);
}

template <class Use>
void each_of_attention_gradients(Use use) {
  using kernels::attention_form, kernels::attention_mask, kernels::attention_delta;
  using kernels::attention_keys_backward, kernels::attention_queries_backward;
  constexpr attention_form whole{.dim = 128, .lse = true};
  constexpr attention_form causal{.dim = 64, .mask = attention_mask::causal, .lse = true};
  use(kernel_type<attention_delta<whole>>(), "attention_d128_delta",
      "delta = the sum of dO * O along each row, offset = -log2(e) lse: what attention's gradients take, bf16, D = "
      "128");
  use(kernel_type<attention_keys_backward<whole>>(), "attention_d128_keys_backward",
      "the gradients dK and dV of attention_d128");
  use(kernel_type<attention_queries_backward<whole>>(), "attention_d128_queries_backward",
      "the gradient dQ of attention_d128");
  use(kernel_type<attention_keys_backward<causal>>(), "attention_d64_causal_keys_backward",
      "the gradients dK and dV of attention_d64_causal");
  use(kernel_type<attention_queries_backward<causal>>(), "attention_d64_causal_queries_backward",
      "the gradient dQ of attention_d64_causal");
  constexpr attention_form packed{
      .dim = 128, .mask = attention_mask::causal, .from_end = true, .grouped = true, .lse = true, .varlen = true};
  use(kernel_type<attention_keys_backward<packed>>(), "attention_d128_causal_varlen_keys_backward",
      "the gradients dK and dV of attention_d128_causal_varlen; attention_d128_delta takes all its rows as one "
      "batch's");
  use(kernel_type<attention_queries_backward<packed>>(), "attention_d128_causal_varlen_queries_backward",
      "the gradient dQ of attention_d128_causal_varlen");
}

}  // namespace sectile::tool
