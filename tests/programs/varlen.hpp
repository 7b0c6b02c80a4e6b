// Attention of sequences that are packed one behind the other, as packed tensors hold them: Q is total x H x D in
// memory. Its answers in float64, sequence by sequence; and each sequence as a problem of its own for the plain kernel.
#pragma once
#include "tests/programs/attention_problem.hpp"

namespace sectile::test {

/// The lengths of sequences; heads of queries, and of keys; a window's ends.
struct varlen_sizes {
  std::vector<int> queries, keys;
  int h = 1, key_heads = 1;
  int pad = 0, left = 0, right = 0;
};

/// Modes 0 and 1 of a view in each other's place.
template <class T>
tensor_view<T> heads_first(tensor_view<T> v) {
  std::swap(v.extent[0], v.extent[1]);
  std::swap(v.stride[0], v.stride[1]);
  return v;
}

template <kernels::attention_form Form, class T = bf16>
struct varlen_problem {
  /// The form without packed sequences.
  static constexpr kernels::attention_form plain = [] {
    kernels::attention_form f = Form;
    f.varlen = false;
    return f;
  }();
  using alone = attention_problem<plain, T>;

  varlen_sizes n;
  float scale = alone::usual_scale();
  std::vector<s32> query_ends, key_ends;
  host_tensor<T> Q, K, V, O;  // total x heads x dim
  host_tensor<float> lse;     // heads x total
  host_tensor<float> sinks, slopes;

  explicit varlen_problem(const varlen_sizes& sizes)
      : n(sizes),
        query_ends(ends_of(n.queries)),
        key_ends(ends_of(n.keys)),
        Q({query_ends.back(), n.h, Form.dim}, row_major, n.pad),
        K({key_ends.back(), n.key_heads, Form.dim}, row_major, 2 * n.pad),
        V({key_ends.back(), n.key_heads, Form.values}),
        O({query_ends.back(), n.h, Form.values}, row_major, n.pad),
        lse({n.h, query_ends.back()}),
        sinks({n.h}),
        slopes({n.h}) {
    Q.fill(1);
    K.fill(2);
    V.fill(3);
    sinks.fill(4);
    slopes.fill(5);
  }
  static std::vector<s32> ends_of(const std::vector<int>& sizes) {
    std::vector<s32> ends;
    for (const int size : sizes) ends.push_back((ends.empty() ? 0 : ends.back()) + size);
    return ends;
  }
  int sequences() const { return static_cast<int>(n.queries.size()); }
  static int begin_of(const std::vector<s32>& ends, int e) {
    return e == 0 ? 0 : ends[static_cast<std::size_t>(e) - 1];
  }
  static int size_of(const std::vector<s32>& ends, int e) {
    return ends[static_cast<std::size_t>(e)] - begin_of(ends, e);
  }

  /// f(arguments...), those that the form does without left out; `view` gives a tensor's view where the kernel runs.
  template <class F, class View, class Ends>
  void with_arguments(const F& f, const View& view, const Ends& of_queries, const Ends& of_keys) {
    std::apply(f, std::tuple_cat(std::tuple(heads_first(view(Q)), heads_first(view(K)), heads_first(view(V)),
                                            heads_first(view(O)), scale, of_queries, of_keys),
                                 argument_if<Form.lse>(view(lse)), argument_if<Form.sinks>(view(sinks)),
                                 argument_if<Form.windowed()>(n.left), argument_if<Form.ends()>(n.right),
                                 argument_if<Form.capped>(alone::cap), argument_if<Form.slopes>(view(slopes))));
  }

  /// Rows of sequence e of a packed tensor, as B x G x H x S x D or B x H x S x D of the plain kernel.
  template <class E>
  static tensor_view<E> rows_alone(tensor_view<E> packed, int begin, int size, int groups) {
    tensor_view<E> v{packed.data + begin * packed.stride[0],
                     4,
                     {1, packed.extent[1], size, packed.extent[2]},
                     {0, packed.stride[1], packed.stride[0], 1}};
    if (groups == 0) return v;
    return {v.data,
            5,
            {1, groups, v.extent[1] / groups, size, v.extent[3]},
            {0, v.stride[1] * (v.extent[1] / groups), v.stride[1], v.stride[2], 1}};
  }
  /// f(arguments...) of the plain kernel for sequence e, whose results are parts of `rows` and `sums`.
  template <class F>
  void with_sequence(int e, host_tensor<T>& rows, host_tensor<float>& sums, const F& f) {
    const int first = begin_of(query_ends, e), s = size_of(query_ends, e), t = size_of(key_ends, e);
    const int groups = Form.grouped ? n.key_heads : 0, from = begin_of(key_ends, e);
    tensor_view<float> of_rows{sums.view().data + first, 3, {1, n.h, s}, {0, sums.stride[0], 1}};
    if (Form.grouped)
      of_rows = {
          of_rows.data, 4, {1, groups, n.h / groups, s}, {0, sums.stride[0] * (n.h / groups), sums.stride[0], 1}};
    std::apply(
        f, std::tuple_cat(std::tuple(rows_alone(Q.in(), first, s, groups), rows_alone(K.in(), from, t, 0),
                                     rows_alone(V.in(), from, t, 0), rows_alone(rows.view(), first, s, groups), scale),
                          argument_if<Form.lse>(of_rows), argument_if<Form.sinks>(of_heads(sinks)),
                          argument_if<Form.windowed()>(n.left), argument_if<Form.ends()>(n.right),
                          argument_if<Form.capped>(alone::cap), argument_if<Form.slopes>(of_heads(slopes))));
  }

  /// Sequence e as a problem of its own, which has a key at least.
  attention_sizes sizes_alone(int e) const {
    return {.h = Form.grouped ? n.h / n.key_heads : n.h,
            .s = size_of(query_ends, e),
            .t = std::max(size_of(key_ends, e), 1),
            .g = Form.grouped ? n.key_heads : 1,
            .left = n.left,
            .right = n.right};
  }
  /// How far O and lse are from float64, sequence by sequence: see attention_errors.
  attention_errors errors() const {
    attention_errors worst;
    for (int e = 0; e < sequences(); ++e) {
      const int s = size_of(query_ends, e), t = size_of(key_ends, e);
      if (s == 0) continue;
      alone one(sizes_alone(e));
      one.no_keys = t == 0;
      take_rows(Q, one.Q, begin_of(query_ends, e), s);
      take_rows(O, one.O, begin_of(query_ends, e), s);
      if (t > 0) take_rows(K, one.K, begin_of(key_ends, e), t), take_rows(V, one.V, begin_of(key_ends, e), t);
      for (int h = 0; Form.lse && h < n.h; ++h)
        for (int i = 0; i < s; ++i)
          one.lse.view().data[h * s_stride(one.lse) + i] = lse(h, begin_of(query_ends, e) + i);
      const attention_errors off = one.errors();
      worst.rows = std::max(worst.rows, off.rows);
      worst.log_sums = std::max(worst.log_sums, off.log_sums);
    }
    return worst;
  }

  /// Rows of a packed tensor, head by head, into one in which these follow each other.
  static void take_rows(const host_tensor<T>& packed, host_tensor<T>& to, int begin, int size) {
    const std::int64_t of_head = to.stride[to.rank - 3], of_row = to.stride[to.rank - 2];
    for (int h = 0; h < packed.extent[1]; ++h)
      for (int i = 0; i < size; ++i)
        for (int x = 0; x < packed.extent[2]; ++x)
          to.view().data[h * of_head + i * of_row + x] = packed(begin + i, h, x);
  }

 private:
  /// A number for each head of the plain kernel.
  tensor_view<const float> of_heads(const host_tensor<float>& x) const {
    if (!Form.grouped) return x.in();
    return {x.in().data, 2, {n.key_heads, n.h / n.key_heads}, {n.h / n.key_heads, 1}};
  }
  static std::int64_t s_stride(const host_tensor<float>& sums) { return sums.stride[sums.rank - 2]; }
};

// The forms that the tests run.

inline constexpr kernels::attention_form packed{.dim = 64, .varlen = true};
inline constexpr kernels::attention_form packed_causal{.dim = 128,
                                                       .mask = kernels::attention_mask::causal,
                                                       .from_end = true,
                                                       .grouped = true,
                                                       .lse = true,
                                                       .varlen = true};
inline constexpr kernels::attention_form packed_window{
    .dim = 64, .mask = kernels::attention_mask::window, .lse = true, .varlen = true};

}  // namespace sectile::test
