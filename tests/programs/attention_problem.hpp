// A problem for a form of attention, with its answer in float64: for the tests on the model and on a GPU.
//
// Inputs and outputs start as NaN throughout, gaps between heads included, so a key behind the last one that got any
// weight, or a row that was never written, would be seen.
#pragma once
#include <algorithm>
#include <cmath>
#include <sectile/kernels/attention.hpp>
#include <tuple>
#include <vector>

#include "tests/programs/host_tensor.hpp"
#include "tool/reference.hpp"

namespace sectile::test {

/// B batches, H heads (where they are grouped, in each of G groups), S queries, T keys; a window's ends.
struct attention_sizes {
  int b = 1, h = 1, s = 1, t = 1;
  int pad = 0, g = 1, left = 0, right = 0;
  int unseen = 0;  // keys at the beginning that no row's tile of queries sees: their values are NaN
};

/// The largest errors, of elements of O in units of their size and the root mean square of all; of logarithms
/// likewise; and the relative L2 error of O. Rows that see nothing have to be zeros, with a logarithm of -infinity.
struct attention_errors {
  double rows = 0, log_sums = 0, l2 = 0;
};

template <bool There, class X>
auto argument_if(const X& x) {
  if constexpr (There)
    return std::tuple(x);
  else
    return std::tuple();
}

template <kernels::attention_form Form, class T = bf16>
struct attention_problem {
  static constexpr bool grouped = Form.grouped;
  static constexpr float cap = 1.5f;
  static float usual_scale() { return 1.4426950408889634f / std::sqrt(static_cast<float>(Form.dim)); }

  static constexpr bool scaled = kernels::is_scaled<T>;

  attention_sizes n;
  float scale;
  bool no_keys = false;  // rows see none of them
  host_tensor<T> Q, K, V;
  host_tensor<kernels::attention_output<T>> O;
  host_tensor<float> lse, sinks, slopes;
  host_tensor<float> scales,
      value_scales;  // of 8-bit elements, for each head of keys: `scale` times 1, 3/4, 1/2 or 1/4

  explicit attention_problem(const attention_sizes& sizes, float factor = usual_scale())
      : n(sizes),
        scale(factor),
        Q(of_queries<T>(Form.dim, n.pad)),
        K({n.b, key_heads(), n.t, Form.dim}, row_major, 2 * n.pad),
        V({n.b, key_heads(), n.t, Form.values}, scaled ? col_major : row_major),
        O(of_queries<kernels::attention_output<T>>(Form.values, n.pad)),
        lse(grouped ? host_tensor<float>({n.b, n.g, n.h, n.s}) : host_tensor<float>({n.b, n.h, n.s})),
        sinks(of_heads()),
        slopes(of_heads()),
        scales({n.b, key_heads()}),
        value_scales({n.b, key_heads()}) {
    Q.fill(1);
    K.fill(2);
    V.fill(3);
    sinks.fill(4);
    slopes.fill(5);
    const tensor_view<T> values = V.view();
    for_each_head([&](int b, int h) {
      for (int j = 0; j < n.unseen; ++j)
        for (int d = 0; d < Form.values; ++d)
          values.data[b * values.stride[0] + h * values.stride[1] + j * values.stride[2] + d * values.stride[3]] =
              T(std::nanf(""));
      scales.view().data[b * scales.stride[0] + h] = scale * scale_of_head(b, h);
      value_scales.view().data[b * value_scales.stride[0] + h] = scale_of_head(h, b + 1);
    });
  }

  /// f(arguments...), those that the form does without left out; `view` gives a tensor's view where the kernel runs.
  template <class F, class View>
  void with_arguments(const F& f, const View& view) {
    std::apply(f, std::tuple_cat(std::tuple(view(Q), view(K), view(V), view(O), scale_argument(view)),
                                 argument_if<Form.lse>(view(lse)), argument_if<Form.sinks>(view(sinks)),
                                 argument_if<Form.windowed()>(n.left), argument_if<Form.ends()>(n.right),
                                 argument_if<Form.capped>(cap), argument_if<Form.slopes>(view(slopes)),
                                 argument_if<scaled>(view(value_scales))));
  }

  /// How far O and, if the form has it, lse are from float64.
  attention_errors errors() const {
    const tool::attention_result right = expected();
    const std::vector<float> found = floats(O);
    double squares = 0, all_off = 0;
    for (const double x : right.rows) squares += x * x;
    const double rms = std::sqrt(squares / static_cast<double>(right.rows.size()));
    attention_errors worst;
    for (std::size_t i = 0; i < found.size(); ++i)
      if (const double off = static_cast<double>(found[i]) - right.rows[i]; off != 0) {  // all may be 0
        raise(worst.rows, std::abs(off) / (std::abs(right.rows[i]) + rms));
        all_off += off * off;
      }
    raise(worst.l2, std::sqrt(all_off / std::max(squares, 1e-30)));
    if (!Form.lse) return worst;
    const std::vector<float> sums = floats(lse);
    for (std::size_t i = 0; i < sums.size(); ++i) {
      const double sum = static_cast<double>(sums[i]);
      if (std::isfinite(right.log_sums[i])) {
        raise(worst.log_sums, std::abs(sum - right.log_sums[i]) / (1 + std::abs(right.log_sums[i])));
        continue;
      }
      const auto first = found.begin() + static_cast<std::ptrdiff_t>(i) * Form.values;
      const bool zeros = std::all_of(first, first + Form.values, [](float x) { return x == 0; });
      if (sum != right.log_sums[i] || !zeros) worst.log_sums = infinity;
    }
    return worst;
  }

  /// Which keys a row has, and what becomes of its scores; slopes and sinks apart.
  tool::attention_rules rules() const {
    tool::attention_rules r{.from_end = Form.from_end, .cap = Form.capped ? static_cast<double>(cap) : 0};
    if (Form.bounded()) r.right = Form.ends() ? n.right : 0;
    if (Form.windowed()) r.left = n.left;
    if (no_keys) r.right = -n.s - n.t;
    return r;
  }
  tool::attention_shape shape() const {
    return {n.b, grouped ? n.g * n.h : n.h, n.s, Form.dim, n.t, Form.values, key_heads()};
  }
  int key_heads() const { return grouped ? n.g : n.h; }
  template <class E>
  host_tensor<E> of_queries(int dim, int pad) const {
    if constexpr (grouped)
      return host_tensor<E>({n.b, n.g, n.h, n.s, dim}, row_major, pad);
    else
      return host_tensor<E>({n.b, n.h, n.s, dim}, row_major, pad);
  }

  static std::vector<float> floats(const auto& x, float factor = 1) {
    std::vector<float> all;
    for (const auto element : x.elements()) all.push_back(factor * static_cast<float>(element));
    return all;
  }

 private:
  /// A NaN is as far off as can be.
  static void raise(double& worst, double error) { worst = std::isnan(error) ? infinity : std::max(worst, error); }
  static float scale_of_head(int b, int h) { return static_cast<float>(4 - (2 * b + h) % 4) / 4; }
  /// f(batch, head of keys) for each.
  void for_each_head(const auto& f) const {
    for (int b = 0; b < n.b; ++b)
      for (int h = 0; h < key_heads(); ++h) f(b, h);
  }
  auto scale_argument(const auto& view) {
    if constexpr (scaled)
      return view(scales);
    else
      return scale;
  }
  /// The numbers of a tensor of keys or values, times those of `of_heads` where there are any.
  std::vector<float> scaled_floats(const auto& x, const host_tensor<float>& of_heads) const {
    std::vector<float> all = floats(x);
    if (!scaled) return all;
    const std::vector<float> factors = floats(of_heads);
    const std::size_t head = all.size() / factors.size();
    for (std::size_t i = 0; i < all.size(); ++i) all[i] *= factors[i / head];
    return all;
  }
  host_tensor<float> of_heads() const { return grouped ? host_tensor<float>({n.g, n.h}) : host_tensor<float>({n.h}); }
  tool::attention_result expected() const {
    tool::attention_rules all = rules();
    const std::vector<float> of_sinks = floats(sinks), of_slopes = floats(slopes);
    if (Form.sinks) all.sinks = of_sinks;
    if (Form.slopes) all.slopes = of_slopes;
    return tool::reference_attention(floats(Q, (scaled ? 1 : scale) / usual_scale()), scaled_floats(K, scales),
                                     scaled_floats(V, value_scales), shape(), all);
  }
};

// The forms that the tests run: all that there is to one is in one of these.

inline constexpr kernels::attention_form gqa_window{.dim = 64,
                                                    .mask = kernels::attention_mask::causal_window,
                                                    .from_end = true,
                                                    .grouped = true,
                                                    .lse = true,
                                                    .sinks = true};
inline constexpr kernels::attention_form wide_keys{
    .dim = 192, .values = 128, .mask = kernels::attention_mask::causal, .from_end = true, .lse = true};
inline constexpr kernels::attention_form sloped_window{
    .dim = 96, .mask = kernels::attention_mask::window, .slopes = true};
inline constexpr kernels::attention_form eight_bit_causal{
    .dim = 128, .mask = kernels::attention_mask::causal, .lse = true};
inline constexpr kernels::attention_form eight_bit_grouped{.dim = 64,
                                                           .mask = kernels::attention_mask::causal_window,
                                                           .from_end = true,
                                                           .grouped = true,
                                                           .lse = true,
                                                           .sinks = true};
inline constexpr kernels::attention_form capped_scores{.dim = 256, .lse = true, .capped = true};

}  // namespace sectile::test
