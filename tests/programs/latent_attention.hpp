// Latent attention of few rows to a cache, with its answer in float64: for the tests on the model and on a GPU. What of
// a cache no sequence has is NaN.
#pragma once
#include <sectile/kernels/latent_attention.hpp>

#include "tests/programs/decode.hpp"

namespace sectile::test {

/// Of each sequence how many keys it has; rows of queries, room for keys, and parts.
struct latent_sizes {
  std::vector<s32> lengths;
  int s = 1, room = 64, parts = 1;
};

struct latent_problem {
  static constexpr int latent = 512, rotated = 64, dim = latent + rotated;
  latent_sizes n;
  host_tensor<bf16> Q, L;
  host_tensor<float> parts, sums;  // as the merge takes them: of one head of keys
  host_tensor<bf16> O;
  host_tensor<float> lse;
  float scale = 1.4426950408889634f / std::sqrt(static_cast<float>(dim));

  explicit latent_problem(const latent_sizes& sizes)
      : n(sizes),
        Q({batch(), n.s, dim}),
        L({batch() * n.room, dim}),
        parts({n.parts, batch(), 1, n.s, latent}),
        sums({n.parts, batch(), 1, n.s}),
        O({batch(), 1, n.s, latent}),
        lse({batch(), 1, n.s}) {
    Q.fill(1), L.fill(2);
    for (int b = 0; b < batch(); ++b)
      for (int j = n.lengths[static_cast<std::size_t>(b)]; j < n.room; ++j)
        for (int x = 0; x < dim; ++x) L.view().data[(b * n.room + j) * dim + x] = bf16(std::nanf(""));
  }
  int batch() const { return static_cast<int>(n.lengths.size()); }
  /// What a kernel is given of rows of 576: the first 512 columns, or the rest.
  template <class E>
  static tensor_view<E> latents(tensor_view<E> x) {
    x.extent[x.rank - 1] = latent;
    return x;
  }
  template <class E>
  static tensor_view<E> rest(tensor_view<E> x) {
    x.data += latent;
    x.extent[x.rank - 1] = rotated;
    return x;
  }
  /// Without the mode of heads of keys.
  template <class E>
  static tensor_view<E> without_heads(tensor_view<E> x) {
    for (int d = 2; d + 1 < x.rank; ++d) x.extent[d] = x.extent[d + 1], x.stride[d] = x.stride[d + 1];
    --x.rank;
    return x;
  }
  /// Both kernels; view(x) is a tensor where they run.
  void run(const auto& part, const auto& merge, const auto& lengths, const auto& view) {
    part(latents(view(Q)), rest(view(Q)), latents(view(L)), rest(view(L)), without_heads(view(parts)), scale, lengths,
         without_heads(view(sums)));
    merge(view(parts), view(sums), view(O), view(lse));
  }

  /// How far O is from float64, in units of its elements' size and their root mean square, and lse, if it is `found`.
  double error_of(const auto& found) const {
    double worst = 0;
    const auto all = found.elements();
    for (int b = 0; b < batch(); ++b) {
      const tool::attention_result right = answer(b);
      const auto& expected = found.rank == 4 ? right.rows : right.log_sums;
      double squares = 0;
      for (const double x : expected) squares += std::isfinite(x) ? x * x : 0;
      const double rms = std::sqrt(squares / static_cast<double>(expected.size()));
      for (std::size_t i = 0; i < expected.size(); ++i) {
        const double x =
            static_cast<double>(static_cast<float>(all[static_cast<std::size_t>(b) * expected.size() + i]));
        if (x == expected[i]) continue;  // 0, and -infinity, where there is no key
        const double error = std::abs(x - expected[i]) / (std::abs(expected[i]) + rms);
        worst = std::isnan(error) ? infinity : std::max(worst, error);
      }
    }
    return worst;
  }

 private:
  tool::attention_result answer(int b) const {
    const int t = n.lengths[static_cast<std::size_t>(b)];
    const auto rows = static_cast<std::size_t>(n.s);
    if (t == 0) return {std::vector<double>(rows * latent, 0), std::vector<double>(rows, -infinity)};
    std::vector<float> q, k, v;
    for (int i = 0; i < n.s * dim; ++i) q.push_back(static_cast<float>(Q(b, i / dim, i % dim)));
    for (int i = 0; i < t * dim; ++i) {
      k.push_back(static_cast<float>(L(b * n.room + i / dim, i % dim)));
      if (i % dim < latent) v.push_back(k.back());
    }
    return tool::reference_attention(
        q, k, v,
        {.batch = 1, .heads = 1, .queries = n.s, .dimension = dim, .keys = t, .values = latent, .key_heads = 1});
  }
};

}  // namespace sectile::test
