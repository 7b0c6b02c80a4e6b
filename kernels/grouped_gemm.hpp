// Products of groups: each row of X belongs to an expert, and meets its matrix.
//
// X is T x K, the rows of all E groups one behind the other, and ends[e] is where group e ends, in device memory; a
// group may be of any size, and empty. W is E x N x K. Rows Y_e = X_e W_e^T; and, for training, the gradients of both:
// the rows dX_e = dY_e W_e, and dW_e = dY_e^T X_e, sums over a group's rows. All are batched products in which a batch
// has rows of its own number.
//
// Products of rows draw their tiles, and a launch takes a workspace for the counter: many small groups take up to a
// quarter less time so, few large ones as long as before. Those of weights do not, as it takes them longer.
#pragma once
#include <sectile/dsl.hpp>

namespace sectile::kernels {

/// The product with each group's weights, in the configuration that suits groups of several hundred rows.
template <class T, class Out, cluster_shape Cluster = cluster_shape{1, 2}>
struct grouped_gemm {
  static constexpr auto operands = sectile::operands(input<"X(E,T,K)", T>(), input<"W(E,N,K)", T>(),
                                                     group_ends<"ends(E)", "T">(), output<"Y(E,T,N)", Out>());
  static constexpr configuration how{.tile = {{"T", 128}, {"N", 256}, {"K", 1024 / element_of<T>().bits}},
                                     .stages = 4,
                                     .cluster = Cluster,
                                     .consumers = 2,
                                     .persistent = true,
                                     .dynamic = true};

  static constexpr void body(auto& sm, auto X, auto W, auto, auto Y) {
    auto [e, t, n] = sm.tile_of(Y);
    auto acc = sm.accumulator(Y);
    for (auto k : sm.pipelined(tiles<"K">(X))) acc += sm.load(X, {e, t, k}) * transpose(sm.load(W, {e, n, k}));
    sm.store(Y, {e, t, n}, acc);
  }
};

/// The same of groups that have a room each, all of as many rows, of which the first counts[e] are there.
template <class T, class Out, cluster_shape Cluster = cluster_shape{1, 2}>
struct masked_gemm : grouped_gemm<T, Out, Cluster> {
  static constexpr auto operands = sectile::operands(input<"X(E,T,K)", T>(), input<"W(E,N,K)", T>(),
                                                     group_counts<"counts(E)", "T">(), output<"Y(E,T,N)", Out>());
};

/// The gradients of the rows: what is summed over, N, is not contiguous in the weights.
template <class T, class Out>
struct grouped_inputs {
  static constexpr auto operands = sectile::operands(input<"dY(E,T,N)", T>(), input<"W(E,N,K)", T>(),
                                                     group_ends<"ends(E)", "T">(), output<"dX(E,T,K)", Out>());
  static constexpr configuration how{.tile = {{"T", 128}, {"K", 256}, {"N", 64}},
                                     .stages = 4,
                                     .cluster = {1, 2},
                                     .consumers = 2,
                                     .persistent = true,
                                     .dynamic = true};

  static constexpr void body(auto& sm, auto dY, auto W, auto, auto dX) {
    auto [e, t, k] = sm.tile_of(dX);
    auto acc = sm.accumulator(dX);
    for (auto n : sm.pipelined(tiles<"N">(dY))) acc += sm.load(dY, {e, t, n}) * sm.load(W, {e, n, k});
    sm.store(dX, {e, t, k}, acc);
  }
};

/// The gradients of the weights, summed in f32.
template <class T, class Out>
struct grouped_weights {
  static constexpr auto operands = sectile::operands(input<"dY(E,T,N)", T>(), input<"X(E,T,K)", T>(),
                                                     group_ends<"ends(E)", "T">(), output<"dW(E,N,K)", Out>());
  static constexpr configuration how{
      .tile = {{"N", 128}, {"K", 256}, {"T", 64}}, .stages = 4, .cluster = {2, 1}, .consumers = 2, .persistent = true};

  static constexpr void body(auto& sm, auto dY, auto X, auto, auto dW) {
    auto [e, n, k] = sm.tile_of(dW);
    auto acc = sm.accumulator(dW);
    for (auto t : sm.pipelined(tiles<"T">(X))) acc += transpose(sm.load(dY, {e, t, n})) * sm.load(X, {e, t, k});
    sm.store(dW, {e, n, k}, acc);
  }
};

/// The same of tokens as they come, in any order and any number: row t of X_e is row token[t] of X. To sort a copy of
/// them takes a little less time, and the memory (docs/design/experiments-work.md).
template <class T, class Out>
struct gathered_weights {
  static constexpr auto operands =
      sectile::operands(input<"dY(E,T,N)", T>(), gathered_input<"X(E,T,K)", T, "token">(),
                        vector_input<"token(E,T)", s32>(), group_ends<"ends(E)", "T">(), output<"dW(E,N,K)", Out>());
  static constexpr configuration how{
      .tile = {{"N", 256}, {"K", 128}, {"T", 64}}, .stages = 4, .consumers = 2, .persistent = true};

  static constexpr void body(auto& sm, auto dY, auto X, auto, auto ends, auto dW) {
    grouped_weights<T, Out>::body(sm, dY, X, ends, dW);
  }
};

using grouped_gemm_bf16 = grouped_gemm<bf16, bf16>;
using masked_gemm_bf16 = masked_gemm<bf16, bf16>;
using grouped_inputs_bf16 = grouped_inputs<bf16, bf16>;
using grouped_weights_bf16 = grouped_weights<bf16, bf16>;

}  // namespace sectile::kernels
