// A problem for attention's backward kernels, with its answer in float64: for the tests on the model and on a GPU.
#pragma once
#include <array>
#include <numbers>
#include <sectile/kernels/attention_backward.hpp>

#include "tests/programs/attention_problem.hpp"

namespace sectile::test {

/// See attention_gradients::error().
inline double error_of_gradients(const std::array<std::vector<float>, 3>& found,
                                 const std::array<std::vector<double>, 3>& right) {
  double worst = 0;
  for (std::size_t which = 0; which < 3; ++which) {
    double squares = 0;
    for (const double x : right[which]) squares += x * x;
    const double rms = std::sqrt(squares / static_cast<double>(right[which].size()));
    for (std::size_t i = 0; i < right[which].size(); ++i) {
      const double x = right[which][i], off = std::abs(static_cast<double>(found[which].at(i)) - x);
      if (off == 0) continue;  // all may be 0
      const double error = off / (std::abs(x) + rms);
      worst = error <= worst ? worst : error == error ? error : static_cast<double>(infinity);
    }
  }
  return worst;
}

/// The gradients for a random dO. What the forward pass leaves, O and the logarithms, is an input here.
template <kernels::attention_form Form, class T = bf16>
struct attention_gradients {
  static constexpr bool grouped = Form.grouped;
  attention_problem<Form, T> p;
  host_tensor<T> dO, dQ, dK, dV;
  host_tensor<float> delta, offset;

  explicit attention_gradients(const attention_sizes& n)
      : p(n),
        dO(p.template of_queries<T>(Form.dim, n.pad)),
        dQ(p.template of_queries<T>(Form.dim, n.pad)),
        dK({n.b, p.key_heads(), n.t, Form.dim}, row_major, n.pad),
        dV({n.b, p.key_heads(), n.t, Form.dim}),
        delta(of_rows(n)),
        offset(of_rows(n)) {
    dO.fill(6);
  }

  /// run(kernel, arguments...) for each kernel, behind one another; `view` gives a tensor's view where they run. dQ is
  /// made of dS in memory where it is given: see keys_by_queries().
  template <class Run, class View, class... Scores>
  void pass(const Run& run, const View& view, Scores&... dS) {
    p.with_arguments([&](const auto&... given) { run(named_type<kernels::attention_of<Form, T>>(), given...); }, view);
    run(named_type<kernels::attention_delta<Form, T>>(), view(p.O), view(dO), view(p.lse), view(delta), view(offset));
    const auto gradient = [&](auto kernel, const auto&... outputs) {
      std::apply([&](const auto&... given) { run(kernel, given...); },
                 std::tuple_cat(std::tuple(view(p.Q), view(p.K), view(p.V), view(dO), view(offset), view(delta),
                                           outputs..., p.scale),
                                argument_if<Form.windowed()>(p.n.left), argument_if<Form.ends()>(p.n.right),
                                argument_if<Form.capped>(p.cap), argument_if<Form.slopes>(view(p.slopes))));
    };
    constexpr bool by_scores = sizeof...(Scores) > 0;
    gradient(named_type<kernels::attention_keys_backward<Form, T, by_scores>>(), view(dK), view(dV),
             keys_by_queries(view(dS))...);
    if constexpr (by_scores)
      run(named_type<kernels::attention_queries_of_scores<Form, T>>(), view(dS)..., view(p.K), view(dQ), p.scale);
    else
      gradient(named_type<kernels::attention_queries_backward<Form, T>>(), view(dQ));
  }
  /// Room for dS: S x T of each head.
  host_tensor<T> scores() const {
    if constexpr (grouped)
      return host_tensor<T>({p.n.b, p.n.g, p.n.h, p.n.s, p.n.t});
    else
      return host_tensor<T>({p.n.b, p.n.h, p.n.s, p.n.t});
  }
  /// The same memory as T x S, as the kernel of keys takes it.
  static auto keys_by_queries(auto dS) {
    std::swap(dS.extent[dS.rank - 2], dS.extent[dS.rank - 1]);
    std::swap(dS.stride[dS.rank - 2], dS.stride[dS.rank - 1]);
    return dS;
  }

  /// dQ, dK and dV in float64.
  std::array<std::vector<double>, 3> right() const {
    const std::vector<float> q = numbers(p.Q), k = numbers(p.K), v = numbers(p.V), g = numbers(dO),
                             slopes = numbers(p.slopes);
    tool::attention_rules rules = p.rules();
    if (Form.slopes) rules.slopes = slopes;
    const tool::attention_shape shape = p.shape();
    const tool::attention_result o = tool::reference_attention(q, k, v, shape, rules);
    std::vector<float> right_offset, right_delta;
    for (const double x : o.log_sums) right_offset.push_back(static_cast<float>(-std::numbers::log2e * x));
    for (std::size_t i = 0; i < o.rows.size(); i += Form.dim) {
      double sum = 0;
      for (std::size_t d = i; d < i + Form.dim; ++d) sum += o.rows[d] * static_cast<double>(g[d]);
      right_delta.push_back(static_cast<float>(sum));
    }
    const tool::attention_row_gradients given{g, right_offset, right_delta};
    auto [of_k, of_v] = tool::reference_key_gradients(q, k, v, given, shape, rules);
    return {tool::reference_query_gradients(q, k, v, given, shape, rules), std::move(of_k), std::move(of_v)};
  }
  /// dQ, dK and dV as they were found.
  std::array<std::vector<float>, 3> found() const { return {numbers(dQ), numbers(dK), numbers(dV)}; }
  /// The largest error of an element of dQ, dK or dV, in units of its size and the root mean square of all of them.
  double error() const { return error_of_gradients(found(), right()); }
  /// Bytes beside the outputs that were written.
  int touched() const { return dQ.touched() + dK.touched() + dV.touched() + delta.touched() + offset.touched(); }

 private:
  static host_tensor<float> of_rows(const attention_sizes& n) {
    return grouped ? host_tensor<float>({n.b, n.g, n.h, n.s}) : host_tensor<float>({n.b, n.h, n.s});
  }
  static std::vector<float> numbers(const auto& x) {
    std::vector<float> all;
    for (const auto element : x.elements()) all.push_back(static_cast<float>(element));
    return all;
  }
};

// Forms of which all that the gradients' kernels do differently is in one.

inline constexpr kernels::attention_form whole{.dim = 128, .lse = true};
inline constexpr kernels::attention_form grouped_causal{
    .dim = 64, .mask = kernels::attention_mask::causal, .from_end = true, .grouped = true, .lse = true};
inline constexpr kernels::attention_form grouped_from_start{
    .dim = 128, .mask = kernels::attention_mask::causal, .grouped = true, .lse = true};
inline constexpr kernels::attention_form sloped_and_capped{
    .dim = 96, .mask = kernels::attention_mask::window, .lse = true, .capped = true, .slopes = true};

}  // namespace sectile::test
