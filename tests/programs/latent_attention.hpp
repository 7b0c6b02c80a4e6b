// Latent attention of few rows to a cache, with its answer in float64: for the tests on the model and on a GPU. What of
// a cache no sequence has is NaN.
#pragma once
#include <sectile/kernels/latent_attention.hpp>

#include "tests/programs/decode.hpp"

namespace sectile::test {

/// Of each sequence how many keys it has; rows of queries, and room for keys.
struct latent_sizes {
  std::vector<s32> lengths;
  int s = 1, room = 64;
};

struct latent_problem {
  static constexpr int latent = 512, rotated = 64, dim = latent + rotated;
  latent_sizes n;
  host_tensor<bf16> Q, L;
  host_tensor<bf16> O;
  host_tensor<float> lse;
  float scale = 1.4426950408889634f / std::sqrt(static_cast<float>(dim));

  /// `slices`: tiles of O's columns, each of which has its own logarithms.
  explicit latent_problem(const latent_sizes& sizes, int slices = 1)
      : n(sizes),
        Q({batch(), n.s, dim}),
        L({batch() * n.room, dim}),
        O({batch(), n.s, latent}),
        lse({slices, batch(), n.s}) {
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
  /// The logarithms as a kernel has them: without the mode of slices, where there is one.
  template <class E>
  static tensor_view<E> logarithms(tensor_view<E> x) {
    if (x.extent[0] > 1) return x;
    return {x.data, 2, {x.extent[1], x.extent[2]}, {x.stride[1], x.stride[2]}};
  }

  /// Each latent of the sequences in a slot of its own of a pool of rows, and which.
  struct pages {
    host_tensor<bf16> L;
    std::vector<s32> slot;

    explicit pages(const latent_problem& p) : L({p.slots(), dim}) {
      for (int j = 0; j < p.batch() * p.n.room; ++j) {
        const int to = (j * 37 + 5) % p.slots();
        slot.push_back(j % p.n.room < p.n.lengths[static_cast<std::size_t>(j / p.n.room)] ? to : -7);
        for (int x = 0; x < dim; ++x) L.view().data[to * dim + x] = p.L(j, x);
      }
    }
  };
  /// No multiple of 37.
  int slots() const { return batch() * n.room + (batch() * n.room % 37 == 34 ? 2 : 3); }

  /// How far O is from float64, in units of its elements' size and their root mean square, and each slice's lse, if it
  /// is `found`.
  double error_of(const auto& found) const {
    const auto all = found.elements();
    double worst = 0;
    for (int b = 0; b < batch(); ++b) {
      const tool::attention_result right = answer(b);
      const auto& expected = found.extent[found.rank - 1] == latent ? right.rows : right.log_sums;
      double squares = 0;
      for (const double x : expected) squares += std::isfinite(x) ? x * x : 0;
      const double rms = std::sqrt(squares / static_cast<double>(expected.size()));
      const std::size_t of_slice = static_cast<std::size_t>(batch()) * expected.size();
      for (std::size_t i = 0; i < all.size() / of_slice * expected.size(); ++i) {
        const std::size_t in = i % expected.size();
        const double y = expected[in],
                     x = static_cast<double>(static_cast<float>(
                         all[i / expected.size() * of_slice + static_cast<std::size_t>(b) * expected.size() + in]));
        if (x == y) continue;  // 0, and -infinity, where there is no key
        const double error = std::abs(x - y) / (std::abs(y) + rms);
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
