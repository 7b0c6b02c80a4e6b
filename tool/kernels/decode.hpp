// Attention of few rows to many keys.
#pragma once

#include <sectile/kernels/latent_attention.hpp>

#include "tool/kernels/kernel_type.hpp"

namespace sectile::tool {

template <int D, int P>
formula formula_of(kernel_type<kernels::decode_attention<D, P>>) {
  return attention_formula{.pass = attention_pass::counted};
}
template <kernels::latent_form Form>
formula formula_of(kernel_type<kernels::latent_attention<Form>>) {
  return attention_formula{.pass = attention_pass::counted, .latent = kernels::latent_columns};
}

template <class Use>
void each_of_decode(Use use) {
  use(kernel_type<kernels::decode_attention<64, 8>>(), "decode_d64",
      "attention of few rows to the keys of a cache, of which the CTAs of a cluster make a part each, D = 64");
  use(kernel_type<kernels::decode_attention<128, 8>>(), "decode_d128", "decode_d64 for D = 128");
  use(kernel_type<kernels::latent_attention<kernels::latent_form{.parts = 8}>>(), "decode_latent16",
      "latent attention (MLA, 512 + 64) to a cache, 16 rows at a time, in parts likewise");
  use(kernel_type<kernels::latent_attention<kernels::latent_form{.rows = 32}>>(), "decode_latent32",
      "decode_latent16 for 32 rows at a time, and all keys of a tile by one CTA");
  use(kernel_type<kernels::latent_attention<kernels::latent_form{.rows = 64}>>(), "decode_latent64",
      "decode_latent32 for 64 rows, of which two consumers abreast have 32 each and read the same latents");
}

}  // namespace sectile::tool
