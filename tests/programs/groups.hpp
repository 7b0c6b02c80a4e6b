// Kernels whose rows fall into groups, and problems for them.
#pragma once
#include <sectile/dsl.hpp>

namespace sectile::test::groups {

constexpr configuration plain{
    .tile = {{"T", 64}, {"N", 64}, {"K", 64}}, .stages = 3, .consumers = 1, .persistent = true};
constexpr configuration pairs{.tile = {{"T", 128}, {"N", 64}, {"K", 64}},
                              .stages = 2,
                              .cluster = {2, 1},
                              .consumers = 2,
                              .persistent = true,
                              .group = 2};

constexpr configuration own{
    .tile = {{"T", 64}, {"N", 64}, {"K", 64}}, .stages = 3, .consumers = 2, .own_tiles = true, .persistent = true};
constexpr configuration swapped{
    .tile = {{"T", 16}, {"N", 64}, {"K", 64}}, .stages = 3, .consumers = 1, .persistent = true, .swap = true};
/// The same with tiles that are drawn.
constexpr configuration drawn = plain.with_drawn_tiles(), drawn_in_pairs = pairs.with_drawn_tiles(),
                        drawn_by_turns = own.with_drawn_tiles();
constexpr configuration summing{.tile = {{"N", 64}, {"K", 64}, {"T", 64}}, .stages = 3, .consumers = 1};
constexpr configuration summing_in_pairs{
    .tile = {{"N", 64}, {"K", 64}, {"T", 64}}, .stages = 2, .cluster = {2, 1}, .consumers = 1, .persistent = true};
constexpr configuration summing_drawn = summing_in_pairs.with_drawn_tiles();

constexpr configuration scoring{
    .tile = {{"T", 64}, {"K", 64}, {"D", 64}}, .stages = 3, .consumers = 1, .persistent = true};

/// Y_e = X_e W_e^T for each group e of rows.
template <class Out, configuration How>
struct rows {
  static constexpr auto operands = sectile::operands(input<"X(E,T,K)", bf16>(), input<"W(E,N,K)", bf16>(),
                                                     group_ends<"ends(E)", "T">(), output<"Y(E,T,N)", Out>());
  static constexpr configuration how = How;

  static constexpr void body(auto& sm, auto X, auto W, auto, auto Y) {
    auto [e, t, n] = sm.tile_of(Y);
    auto acc = sm.accumulator(Y);
    for (auto k : sm.pipelined(tiles<"K">(X))) acc += sm.load(X, {e, t, k}) * transpose(sm.load(W, {e, n, k}));
    sm.store(Y, {e, t, n}, acc);
  }
};

/// The same of the rows of the tile before; of a group's first tile there are none, and these are zeros.
template <configuration How>
struct rows_before : rows<bf16, How> {
  static constexpr void body(auto& sm, auto X, auto W, auto, auto Y) {
    auto [e, t, n] = sm.tile_of(Y);
    auto acc = sm.accumulator(Y);
    for (auto k : sm.pipelined(tiles<"K">(X))) acc += sm.load(X, {e, t - 1, k}) * transpose(sm.load(W, {e, n, k}));
    sm.store(Y, {e, t, n}, acc);
  }
};

/// The same of groups that have rooms.
template <class Out, configuration How>
struct rows_in_rooms : rows<Out, How> {
  static constexpr auto operands = sectile::operands(input<"X(E,T,K)", bf16>(), input<"W(E,N,K)", bf16>(),
                                                     group_counts<"counts(E)", "T">(), output<"Y(E,T,N)", Out>());
};

/// The rows of each group times their weights, of the activated product: two matrices of each group, side by side.
template <configuration How>
struct gated {
  static constexpr auto operands = sectile::operands(
      input<"X(E,T,K)", bf16>(), input<"G(E,N,K)", bf16>(), input<"U(E,N,K)", bf16>(), vector_input<"w(E,T)", float>(),
      vector_input<"b(E,N)", float>(), group_ends<"ends(E)", "T">(), output<"Y(E,T,N)", bf16>());
  static constexpr configuration how = How;

  static constexpr void body(auto& sm, auto X, auto G, auto U, auto w, auto b, auto, auto Y) {
    auto [e, t, n] = sm.tile_of(Y);
    auto gate = sm.accumulator(Y), up = sm.accumulator(Y);
    for (auto k : sm.pipelined(tiles<"K">(X))) {
      auto x = sm.load(X, {e, t, k});
      gate += x * transpose(sm.load(G, {e, n, k}));
      up += x * transpose(sm.load(U, {e, n, k}));
    }
    sm.store(Y, {e, t, n}, silu(gate + sm.load(b, {e, n})) * up * sm.load(w, {e, t}));
  }
};

/// dW_e = dY_e^T X_e: sums over the rows of a group.
template <configuration How>
struct sums_of_rows {
  static constexpr auto operands = sectile::operands(input<"dY(E,T,N)", bf16>(), input<"X(E,T,K)", bf16>(),
                                                     group_ends<"ends(E)", "T">(), output<"dW(E,N,K)", float>());
  static constexpr configuration how = How;

  static constexpr void body(auto& sm, auto dY, auto X, auto, auto dW) {
    auto [e, n, k] = sm.tile_of(dW);
    auto acc = sm.accumulator(dW);
    for (auto t : sm.pipelined(tiles<"T">(X))) acc += transpose(sm.load(dY, {e, t, n})) * sm.load(X, {e, t, k});
    sm.store(dW, {e, n, k}, acc);
  }
};

template <configuration How>
struct sums_of_rows_in_rooms : sums_of_rows<How> {
  static constexpr auto operands = sectile::operands(input<"dY(E,T,N)", bf16>(), input<"X(E,T,K)", bf16>(),
                                                     group_counts<"counts(E)", "T">(), output<"dW(E,N,K)", float>());
};

/// dW_e = P_e^T Q_e + R_e^T S_e: sums over the rows of two kinds that a group has, one of them in rooms.
template <configuration How>
struct sums_of_two_kinds {
  static constexpr auto operands = sectile::operands(
      input<"P(E,T,N)", bf16>(), input<"Q(E,T,K)", bf16>(), input<"R(E,U,N)", bf16>(), input<"S(E,U,K)", bf16>(),
      group_ends<"ends(E)", "T">(), group_counts<"counts(E)", "U">(), output<"dW(E,N,K)", float>());
  static constexpr configuration how = [] {
    configuration c = How;
    c.tile.at3 = {"U", 64};
    return c;
  }();

  static constexpr void body(auto& sm, auto P, auto Q, auto R, auto S, auto, auto, auto dW) {
    auto [e, n, k] = sm.tile_of(dW);
    auto acc = sm.accumulator(dW);
    for (auto t : sm.pipelined(tiles<"T">(P))) acc += transpose(sm.load(P, {e, t, n})) * sm.load(Q, {e, t, k});
    for (auto u : sm.pipelined(tiles<"U">(R))) acc += transpose(sm.load(R, {e, u, n})) * sm.load(S, {e, u, k});
    sm.store(dW, {e, n, k}, acc);
  }
};

/// O_e = Q_e K_e^T V_e in heads, where the rows of Q end where one vector says, and K and V have rooms of which another
/// one says how much is filled; beside it the largest of each row's scores.
template <configuration How>
struct rows_meet_others {
  static constexpr auto operands =
      sectile::operands(input<"Q(E,H,S,K)", bf16>(), input<"Z(E,H,T,K)", bf16>(), input<"V(E,H,T,D)", bf16>(),
                        group_ends<"ends(E)", "S">(), group_counts<"counts(E)", "T">(), output<"O(E,H,S,D)", float>(),
                        vector_output<"most(E,H,S)", float>());
  static constexpr configuration how = [] {
    configuration c = How;
    c.tile.at3 = {"S", c.tile.at0.elements};
    return c;
  }();

  static constexpr void body(auto& sm, auto Q, auto Z, auto V, auto, auto, auto O, auto most) {
    auto [e, h, s, d] = sm.tile_of(O);
    auto sum = sm.accumulator(O);
    auto q = sm.load(Q, {e, h, s, 0});
    for (auto t : sm.pipelined(at_least_one(tiles<"T">(Z)))) {
      auto scores = sm.accumulator(q * transpose(sm.load(Z, {e, h, t, 0})));
      sum += cast<bf16>(scores) * sm.load(V, {e, h, t, d});
    }
    sm.store(most, {e, h, s}, row_max(sum));
    sm.store(O, {e, h, s, d}, sum);
  }
};

/// Y_e = X_e (Z_e^T X_e): each row meets sums over all rows of its group.
template <configuration How>
struct rows_of_sums {
  static constexpr auto operands =
      sectile::operands(input<"X(E,T,K)", bf16>(), input<"Z(E,T',K)", bf16>(), input<"V(E,T',D)", bf16>(),
                        group_ends<"ends(E)", "T">(), output<"Y(E,T,D)", float>());
  static constexpr configuration how = How;

  static constexpr void body(auto& sm, auto X, auto Z, auto V, auto, auto Y) {
    auto [e, t, d] = sm.tile_of(Y);
    auto sum = sm.accumulator(Y);
    auto x = sm.load(X, {e, t, 0});
    for (auto s : sm.pipelined(tiles<"T'">(Z))) {
      auto scores = sm.accumulator(x * transpose(sm.load(Z, {e, s, 0})));
      sum += cast<bf16>(scores) * sm.load(V, {e, s, d});
    }
    sm.store(Y, {e, t, d}, sum);
  }
};

}  // namespace sectile::test::groups
