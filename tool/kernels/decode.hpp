// Attention of few rows to many keys.
#pragma once

#include <sectile/kernels/latent_attention.hpp>

#include "tool/kernels/kernel_type.hpp"

namespace sectile::tool {

template <int D, int P>
formula formula_of(kernel_type<kernels::decode_attention<D, P>>) {
  return attention_formula{.pass = attention_pass::counted};
}
template <int D>
formula formula_of(kernel_type<kernels::decode_merge<D>>) {
  return attention_formula{.pass = attention_pass::merge};
}
template <int Rows>
formula formula_of(kernel_type<kernels::latent_attention<Rows>>) {
  return attention_formula{.pass = attention_pass::counted, .latent = true};
}
inline formula formula_of(kernel_type<kernels::latent_merge<>>) {
  return attention_formula{.pass = attention_pass::merge};
}

template <class Use>
void each_of_decode(Use use) {
  use(kernel_type<kernels::decode_attention<64, 8>>(), "decode_d64",
      "attention of few rows to the keys of a cache, of which the CTAs of a cluster make a part each, D = 64");
  use(kernel_type<kernels::decode_merge<64>>(), "decode_d64_merge",
      "what attention to P parts of the keys is together, each made by itself");
  use(kernel_type<kernels::decode_attention<128, 8>>(), "decode_d128", "decode_d64 for D = 128");
  use(kernel_type<kernels::decode_merge<128>>(), "decode_d128_merge", "decode_d64_merge for D = 128");
  use(kernel_type<kernels::latent_attention<16>>(), "decode_latent16_parts",
      "latent attention (MLA, 512 + 64) to a cache, of which P parts are made by themselves, 16 rows at a time");
  use(kernel_type<kernels::latent_attention<32>>(), "decode_latent32_parts",
      "decode_latent16_parts for 32 rows at a time");
  use(kernel_type<kernels::latent_merge<>>(), "decode_latent_merge", "what the P parts of either are together");
}

}  // namespace sectile::tool
