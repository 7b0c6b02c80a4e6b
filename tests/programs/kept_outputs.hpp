// Programs that store several matrices, and those that store one of them, for the tests on the model and on a GPU.
#pragma once
#include <sectile/dsl.hpp>

#include "tests/programs/written_vectors.hpp"

namespace sectile::test {

inline constexpr configuration of_turns{
    .tile = {{"M", 128}, {"N", 64}, {"K", 64}}, .stages = 4, .persistent = true, .pingpong = true};
inline constexpr configuration of_batches{.tile = {{"M", 128}, {"N", 64}, {"K", 64}}, .stages = 3, .persistent = true};
inline constexpr configuration of_few_buffers{
    .tile = {{"M", 128}, {"N", 256}, {"K", 64}}, .stages = 4, .cluster = {2, 1}, .persistent = true};

/// Z = A B^T + bias and C = 2 |Z|. Consumers that take turns have something to do between their products.
template <class First, class Second, configuration How>
struct kept_sums {
  static constexpr auto operands =
      sectile::operands(input<"A(M,K)", bf16>(), input<"B(N,K)", bf16>(), input<"bias(N)", float>(),
                        output<"Z(M,N)", First>(), output<"C(M,N)", Second>());
  static constexpr configuration how = How;
  static constexpr void body(auto& sm, auto A, auto B, auto bias, auto Z, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A))) {
      auto a = sm.load(A, {m, k});
      auto b = transpose(sm.load(B, {n, k}));
      if constexpr (How.pingpong) {
        auto product = sm.accumulator(a * b);
        acc += product;
      } else {
        acc += a * b;
      }
    }
    auto z = acc + sm.load(bias, {n});
    sm.store(Z, {m, n}, z);
    sm.store(C, {m, n}, abs(z) * 2.0f);
  }
};
/// One of them alone.
template <class Stored, bool Doubled, configuration How>
struct sums_alone {
  static constexpr auto operands = sectile::operands(input<"A(M,K)", bf16>(), input<"B(N,K)", bf16>(),
                                                     input<"bias(N)", float>(), output<"C(M,N)", Stored>());
  static constexpr configuration how = How;
  static constexpr void body(auto& sm, auto A, auto B, auto bias, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A))) {
      auto a = sm.load(A, {m, k});
      auto b = transpose(sm.load(B, {n, k}));
      if constexpr (How.pingpong) {
        auto product = sm.accumulator(a * b);
        acc += product;
      } else {
        acc += a * b;
      }
    }
    auto z = acc + sm.load(bias, {n});
    if constexpr (Doubled)
      sm.store(C, {m, n}, abs(z) * 2.0f);
    else
      sm.store(C, {m, n}, z);
  }
};

/// A B^T and 2 A B^T, without anything that asks where an element is.
template <configuration How>
struct twofold {
  static constexpr auto operands = sectile::operands(input<"A(M,K)", bf16>(), input<"B(N,K)", bf16>(),
                                                     output<"C(M,N)", bf16>(), output<"D(M,N)", float>());
  static constexpr configuration how = How;
  static constexpr void body(auto& sm, auto A, auto B, auto C, auto D) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A))) acc += sm.load(A, {m, k}) * transpose(sm.load(B, {n, k}));
    sm.store(C, {m, n}, acc);
    acc *= 2.0f;
    sm.store(D, {m, n}, acc);
  }
};

/// Of each matrix of a batch four results in four types, stored in another order than they are declared. R may be the
/// memory of `half`.
template <configuration How>
struct four_of_a_batch {
  static constexpr auto operands = sectile::operands(
      input<"A(G,M,K)", bf16>(), input<"B(N,K)", bf16>(), input<"R(G,M,N)", f16>(), output<"half(G,M,N)", f16>(),
      output<"short(G,M,N)", bf16>(), output<"small(G,M,N)", e4m3>(), output<"long(G,M,N)", float>());
  static constexpr configuration how = How;
  static constexpr void body(auto& sm, auto A, auto B, auto R, auto half, auto brief, auto small, auto full) {
    auto [g, m, n] = sm.tile_of(small);
    auto acc = sm.accumulator(half);
    for (auto k : sm.pipelined(tiles<"K">(A))) acc += sm.load(A, {g, m, k}) * transpose(sm.load(B, {n, k}));
    const auto x = acc + sm.load(R, {g, m, n});
    sm.store(full, {g, m, n}, x);
    sm.store(half, {g, m, n}, x * 0.5f);
    sm.store(small, {g, m, n}, x * 0.25f);
    sm.store(brief, {g, m, n}, -x);
  }
};

}  // namespace sectile::test
