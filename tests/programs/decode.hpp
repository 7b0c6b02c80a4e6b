// Attention of few rows to the keys of a cache, with its answer in float64: for the tests on the model and on a GPU.
// What of a cache no sequence has is NaN.
#pragma once
#include <algorithm>
#include <cmath>
#include <sectile/kernels/decode.hpp>
#include <vector>

#include "tests/programs/host_tensor.hpp"
#include "tool/reference.hpp"

namespace sectile::test {

/// H heads of keys with S rows each; of each sequence how many keys it has, and for how many there is room.
struct decode_sizes {
  std::vector<s32> lengths;
  int h = 1, s = 1, room = 64;
};

template <int D, class T = bf16>
struct decode_problem {
  decode_sizes n;
  host_tensor<T> Q, K, V;  // a cache is B x room x H x D
  host_tensor<T> O;
  host_tensor<float> lse;
  float scale = 1.4426950408889634f / std::sqrt(static_cast<float>(D));

  explicit decode_problem(const decode_sizes& sizes)
      : n(sizes),
        Q({batch(), n.h, n.s, D}),
        K({batch(), n.room, n.h, D}),
        V({batch(), n.room, n.h, D}),
        O({batch(), n.h, n.s, D}),
        lse({batch(), n.h, n.s}) {
    Q.fill(1), K.fill(2), V.fill(3);
    for (int b = 0; b < batch(); ++b)
      for (int j = n.lengths[static_cast<std::size_t>(b)]; j < n.room; ++j)
        for (int i = 0; i < n.h * D; ++i)
          for (host_tensor<T>* const x : {&K, &V}) x->view().data[(b * n.room + j) * n.h * D + i] = T(std::nanf(""));
  }
  int batch() const { return static_cast<int>(n.lengths.size()); }
  /// A cache as a kernel is given it: H x B room x D.
  template <class E>
  static tensor_view<E> heads_of_cache(const tensor_view<E>& x) {
    return {x.data, 3, {x.extent[2], x.extent[0] * x.extent[1], x.extent[3]}, {x.stride[2], x.stride[1], 1}};
  }

  /// Each key and value of the sequences in a slot of its own of two pools, slots x H x D, and which.
  struct pages {
    host_tensor<T> K, V;
    std::vector<s32> slot;

    explicit pages(const decode_problem& p) : K({p.slots(), p.n.h, D}), V({p.slots(), p.n.h, D}) {
      for (int j = 0; j < p.batch() * p.n.room; ++j) {
        const int b = j / p.n.room, t = j % p.n.room, to = (j * 37 + 5) % p.slots();
        slot.push_back(t < p.n.lengths[static_cast<std::size_t>(b)] ? to : -7);
        for (int x = 0; x < p.n.h * D; ++x) {
          K.view().data[to * p.n.h * D + x] = p.K(b, t, x / D, x % D);
          V.view().data[to * p.n.h * D + x] = p.V(b, t, x / D, x % D);
        }
      }
    }
  };
  /// No multiple of 37.
  int slots() const { return batch() * n.room + (batch() * n.room % 37 == 34 ? 2 : 3); }
  /// A pool as a kernel is given it: H x slots x D.
  template <class E>
  static tensor_view<E> heads_of_pool(const tensor_view<E>& x) {
    return {x.data, 3, {x.extent[1], x.extent[0], x.extent[2]}, {x.stride[1], x.stride[0], 1}};
  }

  /// How far O is from float64, in units of its elements' size and their root mean square, and lse, if it is `found`.
  double error_of(const auto& found) const {
    double worst = 0;
    each_sequence([&](int b, const tool::attention_result& right) {
      const auto& expected = found.rank == 4 ? right.rows : right.log_sums;
      double squares = 0;
      for (const double x : expected) squares += std::isfinite(x) ? x * x : 0;
      const double rms = std::sqrt(squares / static_cast<double>(expected.size()));
      const auto all = found.elements();
      for (std::size_t i = 0; i < expected.size(); ++i) {
        const double x =
            static_cast<double>(static_cast<float>(all[static_cast<std::size_t>(b) * expected.size() + i]));
        if (x == expected[i]) continue;  // 0, and -infinity, where there is no key
        const double error = std::abs(x - expected[i]) / (std::abs(expected[i]) + rms);
        worst = std::isnan(error) ? infinity : std::max(worst, error);
      }
    });
    return worst;
  }

 private:
  void each_sequence(const auto& f) const {
    for (int b = 0; b < batch(); ++b) {
      const int t = n.lengths[static_cast<std::size_t>(b)];
      std::vector<float> q, k, v;
      for (int h = 0; h < n.h; ++h)
        for (int x = 0; x < n.s * D; ++x) q.push_back(static_cast<float>(Q(b, h, x / D, x % D)));
      for (int h = 0; h < n.h; ++h)
        for (int x = 0; x < t * D; ++x) {
          k.push_back(static_cast<float>(K(b, x / D, h, x % D)));
          v.push_back(static_cast<float>(V(b, x / D, h, x % D)));
        }
      if (t == 0) {
        const auto rows = static_cast<std::size_t>(n.h * n.s);
        f(b, tool::attention_result{std::vector<double>(rows * D, 0), std::vector<double>(rows, -infinity)});
        continue;
      }
      f(b, tool::reference_attention(
               q, k, v,
               {.batch = 1, .heads = n.h, .queries = n.s, .dimension = D, .keys = t, .values = D, .key_heads = n.h}));
    }
  }
};

}  // namespace sectile::test
