// Attention.
#pragma once

#include <sectile/kernels/attention.hpp>

#include "tool/kernels/kernel_type.hpp"

namespace sectile::tool {

template <int D, kernels::attention_mask Mask>
formula formula_of(kernel_type<kernels::attention<D, Mask>>) {
  return attention_formula{Mask == kernels::attention_mask::causal ? attention_mask::causal : attention_mask::none};
}

template <int D>
formula formula_of(kernel_type<kernels::drawn_attention<D>>) {
  return attention_formula{attention_mask::causal};
}

template <class Use>
void each_of_attention(Use use) {
  using kernels::attention, kernels::attention_mask;
  use(kernel_type<attention<64, attention_mask::none>>(), "attention_d64",
      "O = softmax(Q K^T / sqrt(D)) V in bf16, head dimension D = 64");
  use(kernel_type<attention<128, attention_mask::none>>(), "attention_d128", "attention_d64 for D = 128");
  use(kernel_type<attention<64, attention_mask::causal>>(), "attention_d64_causal",
      "attention_d64 where each row sees only the columns up to its own");
  use(kernel_type<attention<128, attention_mask::causal>>(), "attention_d128_causal",
      "attention_d128 where each row sees only the columns up to its own");
  use(kernel_type<kernels::drawn_attention<128>>(), "attention_d128_causal_drawn",
      "attention_d128_causal whose CTAs draw their tiles, the heaviest first");
}

}  // namespace sectile::tool
