// Programs whose trips store what they have.
#pragma once
#include <sectile/dsl.hpp>

namespace sectile::test {

inline constexpr configuration trips_of_two{.tile = {{"M", 128}, {"N", 64}, {"K", 64}}, .stages = 2, .consumers = 2};
inline constexpr configuration trips_walked = [] {
  configuration how = trips_of_two;
  how.persistent = true;
  return how;
}();
inline constexpr configuration trips_turned{
    .tile = {{"M", 64}, {"N", 128}, {"K", 64}}, .stages = 2, .consumers = 2, .swap = true};
inline constexpr configuration trips_of_clusters{
    .tile = {{"M", 128}, {"N", 64}, {"K", 64}}, .stages = 2, .cluster = {2, 2}, .consumers = 1, .persistent = true};
inline constexpr configuration trips_by_turns{
    .tile = {{"M", 128}, {"N", 64}, {"K", 64}}, .stages = 3, .consumers = 2, .persistent = true, .pingpong = true};
inline constexpr configuration trips_of_own_tiles{
    .tile = {{"M", 64}, {"N", 64}, {"K", 64}}, .stages = 3, .consumers = 2, .own_tiles = true, .persistent = true};

/// C = A B^T, and P(T,M,N): what the sums were behind trip T.
template <class T, configuration How, storage_order Order = row_major>
struct sums_so_far {
  static constexpr auto operands = sectile::operands(input<"A(M,K)", bf16>(), input<"B(N,K)", bf16>(),
                                                     trip_output<"P(T,M,N)", T>(Order), output<"C(M,N)", float>());
  static constexpr configuration how = How;

  static constexpr void body(auto& sm, auto A, auto B, auto P, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A))) {
      acc += sm.load(A, {m, k}) * transpose(sm.load(B, {n, k}));
      sm.store(P, {as<"T">(k), m, n}, acc);
    }
    sm.store(C, {m, n}, acc);
  }
};

/// The same in a loop that leaves out the last trip, so that it may have none.
struct sums_before_the_last : sums_so_far<float, trips_walked> {
  static constexpr void body(auto& sm, auto A, auto B, auto P, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A) - 1)) {
      acc += sm.load(A, {m, k}) * transpose(sm.load(B, {n, k}));
      sm.store(P, {as<"T">(k), m, n}, acc);
    }
    sm.store(C, {m, n}, acc);
  }
};

/// C = relu(A) B^T, and relu(A), which every tile of C along N would store.
struct factor_kept {
  static constexpr auto operands = sectile::operands(input<"A(M,K)", bf16>(), input<"B(N,K)", bf16>(),
                                                     trip_output<"P(M,K)", bf16>(), output<"C(M,N)", float>());
  static constexpr configuration how = trips_of_two;

  static constexpr void body(auto& sm, auto A, auto B, auto P, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A))) {
      const auto a = cast<bf16>(relu(cast<float>(in_registers(sm.load(A, {m, k})))));
      sm.store(P, {m, k}, a);
      acc += a * transpose(sm.load(B, {n, k}));
    }
    sm.store(C, {m, n}, acc);
  }
};

/// X = P^T Q of the scores P = Q K^T of each query's keys up to its own, and P from each key's first tile on.
template <configuration How>
struct scores_kept {
  static constexpr auto operands = sectile::operands(input<"Q(S,D)", bf16>(), input<"K(T,D)", bf16>(),
                                                     trip_output<"P(T,S)", bf16>(col_major), output<"X(T,D)", float>());
  static constexpr configuration how = How;

  static constexpr void body(auto& sm, auto Q, auto K, auto P, auto X) {
    auto [j, d] = sm.tile_of(X);
    const auto all = at_least_one(tiles<"S">(Q));
    const auto start = min(as<"S">(j * extent<"T">(K)) / extent<"S">(Q), all - 1);
    auto k = sm.load(K, {j, 0});
    auto x = sm.accumulator(X);
    for (auto n : sm.pipelined(at_least_one(all - start))) {
      const auto i = start + n;
      auto q = sm.load(Q, {i, 0});
      auto s = sm.accumulator(k * transpose(q));
      mask(
          s, {j, i}, true, [](int r, int c) { return r <= c; }, 0.0f);
      const auto p = cast<bf16>(s);
      sm.store(P, {j, i}, p);
      x += p * q;
    }
    sm.store(X, {j, d}, x);
  }
};

}  // namespace sectile::test
