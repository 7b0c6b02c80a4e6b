// Convolutions of images: Y(n,p,q,k) = the sum over r, s, c of X(n, p stride + r dilation - padding, .., c) W(k,r,s,c).
//
// Images and their results are NHWC, channels contiguous, and so are filters, KRSC. It is a product of matrices: a row
// for each pixel of the output, and for each place of the filter, row by row, the channels that are summed up. The
// matrix of pixels is stored nowhere, since TMA reads it off the image (im2col).
#pragma once
#include <sectile/dsl.hpp>

namespace sectile::kernels {

/// Y = X * W for images X of C channels and K filters of any size, stride, padding and dilation. T counts the places of
/// the filter, M the pixels of the output: of Y(N,P,Q,K) the matrix of N P Q rows.
template <class In, class Out>
struct convolution {
  static constexpr auto operands =
      sectile::operands(im2col_input<"X(T,M,C)", In>(), input<"W(T,K,C)", In>(), output<"Y(M,K)", Out>());
  static constexpr configuration how{.tile = {{"M", 128}, {"K", 128}, {"C", 1024 / element_of<In>().bits}},
                                     .stages = 6,
                                     .cluster = {2, 1},
                                     .consumers = 2,
                                     .persistent = true};

  static constexpr void body(auto& sm, auto X, auto W, auto Y) {
    auto [m, k] = sm.tile_of(Y);
    auto acc = sm.accumulator(Y);
    add_places(sm, X, W, m, k, acc);
    sm.store(Y, {m, k}, acc);
  }
  /// acc += the tile of X * W at (m, k): places of the filter for each tile of channels.
  static constexpr void add_places(auto& sm, auto X, auto W, auto m, auto k, auto& acc) {
    auto places = tiles<"T">(X);
    for (auto i : sm.pipelined(places * tiles<"C">(X))) {
      auto t = as<"T">(i % places);
      auto c = as<"C">(i / places);
      acc += sm.load(X, {t, m, c}) * transpose(sm.load(W, {t, k, c}));
    }
  }
};

/// Y = X * W + bias, a number for each filter.
template <class In, class Out>
struct biased_convolution {
  static constexpr auto operands = sectile::operands(im2col_input<"X(T,M,C)", In>(), input<"W(T,K,C)", In>(),
                                                     input<"bias(K)", Out>(), output<"Y(M,K)", Out>());
  static constexpr configuration how = convolution<In, Out>::how;

  static constexpr void body(auto& sm, auto X, auto W, auto bias, auto Y) {
    auto [m, k] = sm.tile_of(Y);
    auto acc = sm.accumulator(Y);
    convolution<In, Out>::add_places(sm, X, W, m, k, acc);
    sm.store(Y, {m, k}, acc + sm.load(bias, {k}));
  }
};

using convolution_bf16 = convolution<bf16, bf16>;
using biased_convolution_bf16 = biased_convolution<bf16, bf16>;

}  // namespace sectile::kernels
