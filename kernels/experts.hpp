// A layer of experts in two launches: Y = weight * W (F(G X) * (U X)), where each row of X belongs to one expert and
// meets that expert's matrices (Shazeer et al., 2017; the gated form of Shazeer, 2020). With tokens in any order, of
// several experts each, it is two as well: gathered_experts and scattered_experts.
//
// X is T x K, the rows of all E experts one behind the other, and ends[e] is where expert e's end, in device memory: of
// any number, and none. H is what lies between the two launches. See grouped_gemm.hpp for the products by themselves
// and for their gradients.
#pragma once
#include <sectile/kernels/grouped_gemm.hpp>
#include <sectile/kernels/linear.hpp>

namespace sectile::kernels {

/// H_e = F(X_e G_e^T) * (X_e U_e^T): both products take the rows from the same stage.
template <class T, activation F>
struct gated_experts {
  static constexpr auto operands =
      sectile::operands(input<"X(E,T,K)", T>(), input<"G(E,N,K)", T>(), input<"U(E,N,K)", T>(),
                        group_ends<"ends(E)", "T">(), output<"H(E,T,N)", T>());
  static constexpr configuration how{.tile = {{"T", 128}, {"N", 112}, {"K", 1024 / element_of<T>().bits}},
                                     .stages = 4,
                                     .cluster = {1, 2},
                                     .persistent = true,
                                     .dynamic = true};  // as grouped_gemm

  static constexpr void body(auto& sm, auto X, auto G, auto U, auto, auto H) {
    auto [e, t, n] = sm.tile_of(H);
    auto gate = sm.accumulator(H), value = sm.accumulator(H);
    for (auto k : sm.pipelined(tiles<"K">(X))) {
      auto x = sm.load(X, {e, t, k});
      gate += x * transpose(sm.load(G, {e, n, k}));
      value += x * transpose(sm.load(U, {e, n, k}));
    }
    sm.store(H, {e, t, n}, activate<F>(gate) * value);
  }
};

/// The same of tokens as they come, in any order and any number: row t of X_e is row token[t] of X.
template <class T, activation F>
struct gathered_experts {
  static constexpr auto operands = sectile::operands(
      gathered_input<"X(E,T,K)", T, "token">(), vector_input<"token(E,T)", s32>(), input<"G(E,N,K)", T>(),
      input<"U(E,N,K)", T>(), group_ends<"ends(E)", "T">(), output<"H(E,T,N)", T>());
  static constexpr configuration how{.tile = gated_experts<T, F>::how.tile, .stages = 4, .persistent = true};

  static constexpr void body(auto& sm, auto X, auto, auto G, auto U, auto ends, auto H) {
    gated_experts<T, F>::body(sm, X, G, U, ends, H);
  }
};

/// Y_e = weight_e * (H_e W_e^T): each row with the weight that the gate gave it.
template <class T, class Out>
struct weighted_experts {
  static constexpr auto operands =
      sectile::operands(input<"H(E,T,K)", T>(), input<"W(E,N,K)", T>(), vector_input<"weight(E,T)", float>(),
                        group_ends<"ends(E)", "T">(), output<"Y(E,T,N)", Out>());
  static constexpr configuration how = grouped_gemm<T, Out>::how;

  static constexpr void body(auto& sm, auto H, auto W, auto weight, auto, auto Y) {
    auto [e, t, n] = sm.tile_of(Y);
    auto acc = sm.accumulator(Y);
    for (auto k : sm.pipelined(tiles<"K">(H))) acc += sm.load(H, {e, t, k}) * transpose(sm.load(W, {e, n, k}));
    sm.store(Y, {e, t, n}, acc * sm.load(weight, {e, t}));
  }
};

/// The sums of a token's rows of weight_e * (H_e W_e^T): the other launch of a layer of two. Row t of H_e belongs to
/// token place[t] / J and is the one of its expert number place[t] % J, of J experts that each token has; so place is
/// what sorts the T x J pairs by experts, and token, by which gathered_experts picks rows, is place / J. Each row is
/// rounded to Out, and they are added in f32 in the order of a token's experts: the bits are those of weighted_experts
/// and summed_experts. (Which are two launches and take less time, see docs/design/experiments-work.md.)
template <class T, class Out>
struct scattered_experts {
  static constexpr auto operands = sectile::operands(
      input<"H(E,T,K)", T>(), input<"W(E,N,K)", T>(), vector_input<"weight(E,T)", float>(),
      vector_input<"place(E,T)", s32>(), group_ends<"ends(E)", "T">(), scattered_output<"Y(E,T,N)", Out, "place">());
  static constexpr configuration how = weighted_experts<T, Out>::how;

  static constexpr void body(auto& sm, auto H, auto W, auto weight, auto, auto ends, auto Y) {
    weighted_experts<T, Out>::body(sm, H, W, weight, ends, Y);
  }
};

/// Y(T,N) = sum over j of row slot[j,t] of P: what the experts of a token have made, added in the order of j, whose
/// bits hang on nothing else. P has a row for each pair of a token and one of its experts, as weighted_experts leaves
/// them.
template <class T, class Out>
struct summed_experts {
  static constexpr auto operands = sectile::operands(gathered_input<"P(J,T,N)", T, "slot">(),
                                                     vector_input<"slot(J,T)", s32>(), output<"Y(T,N)", Out>());
  static constexpr configuration how{
      .tile = {{"T", 128}, {"N", 2048 / element_of<T>().bits}}, .stages = 4, .persistent = true};

  static constexpr void body(auto& sm, auto P, auto, auto Y) {
    auto [t, n] = sm.tile_of(Y);
    auto sum = sm.accumulator(Y);
    for (auto j : sm.pipelined(tiles<"J">(P))) sum = sum + cast<float>(in_registers(sm.load(P, {j, t, n})));
    sm.store(Y, {t, n}, sum);
  }
};

}  // namespace sectile::kernels
