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
/// likewise. Rows that see nothing have to be zeros, with a logarithm of -infinity.
struct attention_errors {
  double rows = 0, log_sums = 0;
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

  attention_sizes n;
  float scale;
  bool no_keys = false;  // rows see none of them
  host_tensor<T> Q, K, V, O;
  host_tensor<float> lse, sinks, slopes;

  explicit attention_problem(const attention_sizes& sizes, float factor = usual_scale())
      : n(sizes),
        scale(factor),
        Q(of_queries<T>(Form.dim, n.pad)),
        K({n.b, key_heads(), n.t, Form.dim}, row_major, 2 * n.pad),
        V({n.b, key_heads(), n.t, Form.values}),
        O(of_queries<T>(Form.values, n.pad)),
        lse(grouped ? host_tensor<float>({n.b, n.g, n.h, n.s}) : host_tensor<float>({n.b, n.h, n.s})),
        sinks(of_heads()),
        slopes(of_heads()) {
    Q.fill(1);
    K.fill(2);
    V.fill(3);
    sinks.fill(4);
    slopes.fill(5);
    for (int head = 0; head < n.b * key_heads(); ++head)
      for (int j = 0; j < n.unseen * Form.values; ++j) V.view().data[head * n.t * Form.values + j] = T(std::nanf(""));
  }

  /// f(arguments...), those that the form does without left out; `view` gives a tensor's view where the kernel runs.
  template <class F, class View>
  void with_arguments(const F& f, const View& view) {
    std::apply(f, std::tuple_cat(std::tuple(view(Q), view(K), view(V), view(O), scale),
                                 argument_if<Form.lse>(view(lse)), argument_if<Form.sinks>(view(sinks)),
                                 argument_if<Form.windowed()>(n.left), argument_if<Form.ends()>(n.right),
                                 argument_if<Form.capped>(cap), argument_if<Form.slopes>(view(slopes))));
  }

  /// How far O and, if the form has it, lse are from float64.
  attention_errors errors() const {
    const tool::attention_result right = expected();
    const std::vector<float> found = floats(O);
    double squares = 0;
    for (const double x : right.rows) squares += x * x;
    const double rms = std::sqrt(squares / static_cast<double>(right.rows.size()));
    attention_errors worst;
    for (std::size_t i = 0; i < found.size(); ++i)
      if (const double off = static_cast<double>(found[i]) - right.rows[i]; off != 0)  // all may be 0
        raise(worst.rows, std::abs(off) / (std::abs(right.rows[i]) + rms));
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
  host_tensor<float> of_heads() const { return grouped ? host_tensor<float>({n.g, n.h}) : host_tensor<float>({n.h}); }
  tool::attention_result expected() const {
    tool::attention_rules all = rules();
    const std::vector<float> of_sinks = floats(sinks), of_slopes = floats(slopes);
    if (Form.sinks) all.sinks = of_sinks;
    if (Form.slopes) all.slopes = of_slopes;
    return tool::reference_attention(floats(Q, scale / usual_scale()), floats(K), floats(V), shape(), all);
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
inline constexpr kernels::attention_form capped_scores{.dim = 256, .lse = true, .capped = true};

}  // namespace sectile::test
