// Programs whose loops are split, for the tests on the model and on a GPU.
#pragma once
#include <sectile/dsl.hpp>
#include <sectile/kernels/gemm.hpp>

namespace sectile::test {

/// Two stages, so that a part of a few trips goes round its ring.
constexpr configuration split_in(int parts, int m, int n, int k, int consumers = 1, cluster_shape cluster = {},
                                 bool swap = false) {
  return {.tile = {{"M", m}, {"N", n}, {"K", k}},
          .stages = 2,
          .cluster = cluster,
          .consumers = consumers,
          .split = parts,
          .swap = swap};
}

/// The same whose parts meet in a workspace however few they are.
constexpr configuration kept_apart(configuration c) {
  c.apart = true;
  return c;
}
/// And by so many at once.
constexpr configuration by_at_once(int fan_in, configuration c) {
  c.apart = true;
  c.fan_in = fan_in;
  return c;
}

template <class Left, class Right, class Out, configuration How, kernels::gemm_form Form = kernels::gemm_form{}>
struct gemm_in_parts : kernels::gemm<Left, Right, Out, Form> {
  static constexpr configuration how = How;
};

/// Whatever stands behind the loop: sums that are used more than once, vectors, a tile, two outputs, numbers that tiles
/// combine into.
template <configuration How>
struct outputs_of_parts {
  static constexpr auto operands = sectile::operands(
      input<"A(M,K)", bf16>(), input<"B(N,K)", bf16>(), input<"bias(N)", float>(), input<"R(M,N)", bf16>(),
      output<"Z(M,N)", bf16>(), output<"C(M,N)", float>(), vector_output<"most(N)", float>());
  static constexpr configuration how = How;
  static constexpr void body(auto& sm, auto A, auto B, auto bias, auto R, auto Z, auto C, auto most) {
    auto [m, n] = sm.tile_of(C);
    auto r = sm.load(R, {m, n});
    auto acc = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A))) acc += sm.load(A, {m, k}) * transpose(sm.load(B, {n, k}));
    auto x = acc + sm.load(bias, {n});
    sm.combine(most, {n}, abs(acc), reduction::max);
    auto z = x + r;
    sm.store(Z, {m, n}, z);
    sm.store(C, {m, n}, z * 2.0f);
  }
};

/// Two sums of each tile: each meets its own parts.
template <configuration How>
struct two_sums {
  static constexpr auto operands = sectile::operands(input<"A(M,K)", bf16>(), input<"W(N,K)", bf16>(),
                                                     input<"V(N,K)", bf16>(), output<"C(M,N)", float>());
  static constexpr configuration how = How;
  static constexpr void body(auto& sm, auto A, auto W, auto V, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto gate = sm.accumulator(C), value = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A))) {
      auto a = sm.load(A, {m, k});
      gate += a * transpose(sm.load(W, {n, k}));
      value += a * transpose(sm.load(V, {n, k}));
    }
    sm.store(C, {m, n}, gate * value);
  }
};

/// C = A B^T + E F^T: both loops are split. E goes through registers.
template <configuration How>
struct two_loops {
  static constexpr auto operands =
      sectile::operands(input<"A(M,K)", bf16>(), input<"B(N,K)", bf16>(), input<"E(M,L)", bf16>(),
                        input<"F(N,L)", bf16>(), output<"C(M,N)", float>());
  static constexpr configuration how = How;
  static constexpr void body(auto& sm, auto A, auto B, auto E, auto F, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A))) acc += sm.load(A, {m, k}) * transpose(sm.load(B, {n, k}));
    for (auto l : sm.pipelined(tiles<"L">(E))) {
      auto e = in_registers(sm.load(E, {m, l}));
      acc += cast<bf16>(cast<float>(e) * 2.0f) * transpose(sm.load(F, {n, l}));
    }
    sm.store(C, {m, n}, acc);
  }
};
constexpr configuration split_both(int parts) {
  configuration c = split_in(parts, 64, 64, 64);
  c.tile = {{"M", 64}, {"N", 64}, {"K", 64}, {"L", 64}};
  return c;
}

}  // namespace sectile::test
