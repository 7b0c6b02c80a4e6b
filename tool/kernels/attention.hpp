// Attention.
#pragma once

#include <sectile/kernels/attention.hpp>

#include "tool/kernels/kernel_type.hpp"

namespace sectile::tool {

/// What a form's kernels have in common.
template <kernels::attention_form Form, class T = bf16>
attention_formula form_of_attention(attention_pass pass) {
  attention_formula what{.pass = pass,
                         .causal = Form.bounded() && !Form.ends(),
                         .windowed = Form.windowed(),
                         .from_end = Form.from_end,
                         .sinks = Form.sinks,
                         .capped = Form.capped,
                         .slopes = Form.slopes,
                         .scaled = kernels::is_scaled<T>,
                         .varlen = Form.varlen};
  if (Form.windowed()) what.numbers.push_back(100);
  if (Form.ends()) what.numbers.push_back(20);
  if (Form.capped) what.numbers.push_back(5);
  return what;
}
template <kernels::attention_form Form, class T>
formula formula_of(kernel_type<kernels::attention_of<Form, T>>) {
  return form_of_attention<Form, T>(attention_pass::forward);
}
template <int D, kernels::attention_mask Mask>
formula formula_of(kernel_type<kernels::attention<D, Mask>>) {
  return attention_formula{.causal = Mask == kernels::attention_mask::causal};
}

template <int D, bool Brief>
formula formula_of(kernel_type<kernels::drawn_attention<D, Brief>>) {
  return attention_formula{.causal = true};
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
}

template <class Use>
void each_of_attention_forms(Use use) {
  using kernels::attention_mask, kernels::attention_of;
  use(kernel_type<kernels::drawn_attention<128>>(), "attention_d128_causal_drawn",
      "attention_d128_causal whose CTAs draw their tiles, the heaviest first");
  constexpr kernels::attention_form gqa{
      .dim = 64, .mask = attention_mask::causal_window, .from_end = true, .grouped = true, .lse = true, .sinks = true};
  use(kernel_type<attention_of<gqa>>(), "attention_d64_gqa_window",
      "attention_d64_causal in a window, beside sinks: H heads share the keys of one of G; logarithms of sums");
  constexpr kernels::attention_form alibi{.dim = 96, .mask = attention_mask::window, .slopes = true};
  use(kernel_type<attention_of<alibi>>(), "attention_d96_alibi",
      "attention for D = 96 in a window on both sides, with slopes of the distance (ALiBi)");
  constexpr kernels::attention_form wide{
      .dim = 192, .values = 128, .mask = attention_mask::causal, .from_end = true, .lse = true};
  use(kernel_type<attention_of<wide, f16>>(), "attention_f16_d192x128",
      "causal attention in f16, keys of 192 elements and values of 128, with the logarithms of sums");
  constexpr kernels::attention_form capped{.dim = 256, .lse = true, .capped = true};
  use(kernel_type<attention_of<capped>>(), "attention_d256_capped",
      "attention_d64 for D = 256, scores capped by tanh, with the logarithms of sums");
  constexpr kernels::attention_form packed{
      .dim = 128, .mask = attention_mask::causal, .from_end = true, .grouped = true, .lse = true, .varlen = true};
  use(kernel_type<attention_of<packed>>(), "attention_d128_causal_varlen",
      "causal attention of sequences of any length, one behind the other, that end where vectors say; H heads share "
      "the "
      "keys of G; logarithms of sums");
  use(kernel_type<attention_of<kernels::attention_form{.dim = 64}, e4m3>>(), "attention_e4m3_d64",
      "attention of e4m3 with scales for heads, V stored with keys side by side, in bf16; D = 64");
  constexpr kernels::attention_form causal{.dim = 128, .mask = attention_mask::causal, .lse = true};
  use(kernel_type<attention_of<causal, e4m3>>(), "attention_e4m3_d128_causal",
      "attention_e4m3_d64 for D = 128, causal, with the logarithms of sums");
  use(kernel_type<attention_of<kernels::attention_form{.dim = 256}, e4m3>>(), "attention_e4m3_d256",
      "attention_e4m3_d64 for D = 256");
}

}  // namespace sectile::tool
