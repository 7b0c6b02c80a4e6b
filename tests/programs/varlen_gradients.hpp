// Gradients of attention of packed sequences: answers in float64, sequence by sequence, and what the plain kernels make
// of each sequence alone.
#pragma once
#include "tests/programs/attention_gradients.hpp"
#include "tests/programs/varlen.hpp"

namespace sectile::test {

template <class T>
tensor_view<T> one_batch(const tensor_view<T>& v) {
  tensor_view<T> all{v.data, v.rank + 1, {1}, {0}};
  std::copy(v.extent, v.extent + v.rank, all.extent + 1);
  std::copy(v.stride, v.stride + v.rank, all.stride + 1);
  return all;
}

/// The gradients for a random dO, of what the forward pass leaves.
template <kernels::attention_form Form, class T = bf16>
struct varlen_gradients {
  using problem = varlen_problem<Form, T>;
  using alone = attention_gradients<problem::plain, T>;
  problem p;
  host_tensor<T> dO, dQ, dK, dV;  // total x heads x dim
  host_tensor<float> delta, offset;

  explicit varlen_gradients(const varlen_sizes& n)
      : p(n),
        dO({p.query_ends.back(), n.h, Form.dim}, row_major, n.pad),
        dQ({p.query_ends.back(), n.h, Form.dim}, row_major, n.pad),
        dK({p.key_ends.back(), n.key_heads, Form.dim}, row_major, n.pad),
        dV({p.key_ends.back(), n.key_heads, Form.dim}),
        delta({n.h, p.query_ends.back()}),
        offset({n.h, p.query_ends.back()}) {
    dO.fill(6);
  }

  /// run(kernel, arguments...) for each kernel, behind one another; `view` gives a tensor's view where they run.
  template <class Run, class View, class Ends>
  void pass(const Run& run, const View& view, const Ends& of_queries, const Ends& of_keys) {
    p.with_arguments([&](const auto&... given) { run(named_type<kernels::attention_of<Form, T>>(), given...); }, view,
                     of_queries, of_keys);
    const auto rows = [&](auto& x) { return heads_first(view(x)); };
    run(named_type<kernels::attention_delta<Form, T>>(), one_batch(rows(p.O)), one_batch(rows(dO)),
        one_batch(view(p.lse)), one_batch(view(delta)), one_batch(view(offset)));
    const auto gradient = [&](auto kernel, auto&... outputs) {
      std::apply(
          [&](const auto&... given) { run(kernel, given...); },
          std::tuple_cat(std::tuple(rows(p.Q), rows(p.K), rows(p.V), rows(dO), view(offset), view(delta),
                                    rows(outputs)..., p.scale, of_queries, of_keys),
                         argument_if<Form.windowed()>(p.n.left), argument_if<Form.ends()>(p.n.right),
                         argument_if<Form.capped>(problem::alone::cap), argument_if<Form.slopes>(view(p.slopes))));
    };
    gradient(named_type<kernels::attention_keys_backward<Form, T>>(), dK, dV);
    gradient(named_type<kernels::attention_queries_backward<Form, T>>(), dQ);
  }

  /// The largest error of an element of dQ, dK or dV, in units of its size and the root mean square of all of them.
  double error() const {
    std::array<std::vector<float>, 3> found;
    std::array<std::vector<double>, 3> right;
    for (int e = 0; e < p.sequences(); ++e) {
      const auto found_here = found_of(e);
      const bool any = p.size_of(p.query_ends, e) > 0 && p.size_of(p.key_ends, e) > 0;
      const auto right_here =
          any ? with_alone(e, [](const alone& one) { return one.right(); }) : std::array<std::vector<double>, 3>();
      for (std::size_t which = 0; which < 3; ++which) {
        found[which].insert(found[which].end(), found_here[which].begin(), found_here[which].end());
        right[which].insert(right[which].end(), right_here[which].begin(), right_here[which].end());
        right[which].resize(found[which].size());  // zeros, where a sequence has rows of one kind alone
      }
    }
    return error_of_gradients(found, right);
  }
  /// Elements that are not, bit by bit, those that the plain kernels make of each sequence alone: see
  /// attention_gradients::pass(). (A number is the same float whatever the sign of zero.)
  template <class Run>
  int not_as_alone(const Run& run) const {
    int different = 0;
    for (int e = 0; e < p.sequences(); ++e) {
      std::array<std::vector<float>, 3> of_one;
      const auto found = found_of(e);
      if (p.size_of(p.query_ends, e) > 0 && p.size_of(p.key_ends, e) > 0)
        of_one = with_alone(e, [&](alone& one) {
          one.pass(run, [](auto& tensor) { return tensor.view(); });
          return one.found();
        });
      for (std::size_t which = 0; which < 3; ++which) {
        of_one[which].resize(found[which].size());
        for (std::size_t i = 0; i < found[which].size(); ++i) different += found[which][i] != of_one[which][i];
      }
    }
    return different;
  }
  /// Bytes beside the outputs that were written.
  int touched() const { return dQ.touched() + dK.touched() + dV.touched() + delta.touched() + offset.touched(); }

 private:
  template <class Use>
  auto with_alone(int e, const Use& use) const {
    alone one(p.sizes_alone(e));
    const int first = p.begin_of(p.query_ends, e), s = p.size_of(p.query_ends, e);
    const int from = p.begin_of(p.key_ends, e), t = p.size_of(p.key_ends, e);
    p.take_rows(p.Q, one.p.Q, first, s), p.take_rows(dO, one.dO, first, s);
    p.take_rows(p.K, one.p.K, from, t), p.take_rows(p.V, one.p.V, from, t);
    return use(one);
  }
  /// dQ, dK and dV of sequence e, head by head.
  std::array<std::vector<float>, 3> found_of(int e) const {
    const auto rows_of = [&](const host_tensor<T>& x, const std::vector<s32>& ends) {
      std::vector<float> all;
      for (int h = 0; h < x.extent[1]; ++h)
        for (int i = p.begin_of(ends, e); i < ends[static_cast<std::size_t>(e)]; ++i)
          for (int d = 0; d < Form.dim; ++d) all.push_back(static_cast<float>(x.number(i, h, d)));
      return all;
    };
    return {rows_of(dQ, p.query_ends), rows_of(dK, p.key_ends), rows_of(dV, p.key_ends)};
  }
};

// Forms of which all that the gradients' kernels do differently of packed sequences is in one.

inline constexpr kernels::attention_form packed_apart{.dim = 64, .lse = true, .varlen = true};
inline constexpr kernels::attention_form packed_all_of_it{.dim = 64,
                                                          .mask = kernels::attention_mask::window,
                                                          .from_end = true,
                                                          .grouped = true,
                                                          .lse = true,
                                                          .capped = true,
                                                          .slopes = true,
                                                          .varlen = true};

}  // namespace sectile::test
