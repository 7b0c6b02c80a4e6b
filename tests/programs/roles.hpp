// Programs in which registers and tiles change roles: accumulators that become operands and the other way round, sums
// of products of two kinds, tiles that come into registers without a product. Each waits for what the hardware would
// not keep in order by itself. The same programs run on the model (roles_test.cpp) and on a GPU (tests/gpu/roles.cu).
#pragma once
#include <sectile/dsl.hpp>

#include "tests/programs/typed.hpp"

namespace sectile::test {

inline constexpr sectile::configuration one_consumer{.stages = 2, .consumers = 1};

/// C = (A B^T) D^T, the first sum in f16: the accumulator is the next product's left factor as it stands.
struct f16_chain {
  static constexpr auto operands = sectile::operands(input<"A(M,K)", f16>(), input<"B(N,K)", f16>(),
                                                     input<"D(P,N)", f16>(), output<"C(M,P)", float>());
  static constexpr sectile::configuration how = one_consumer.with_tile({{"M", 64}, {"K", 64}, {"N", 64}, {"P", 64}});
  static constexpr void body(auto& sm, auto A, auto B, auto D, auto C) {
    auto [m, p] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    for (auto n : sm.pipelined(tiles<"N">(B))) {
      auto s = sm.accumulator(sm.load(A, {m, 0}) * transpose(sm.load(B, {n, 0})), as<f16>());
      acc += s * transpose(sm.load(D, {p, n}));
    }
    sm.store(C, {m, p}, acc);
  }
};

/// C = 2 A B^T: what one product reads as left factor is the next one's accumulator. Its columns are those of A and
/// then those of C, so both are N'.
struct operand_then_accumulator {
  static constexpr auto operands =
      sectile::operands(input<"A(M,N')", f16>(), input<"B(N',N)", f16>(), output<"C(M,N')", float>());
  static constexpr sectile::configuration how{.tile = {{"M", 64}, {"N", 64}}, .stages = 4, .consumers = 1};
  static constexpr void body(auto& sm, auto A, auto B, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto sum = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"N'">(A))) {
      auto a = sm.load(A, {m, k});
      auto b = transpose(sm.load(B, {n, as<"N">(k)}));
      auto r = in_registers(a);
      sum += r * b;
      r = a * b;
      sum += cast<float>(r);
    }
    sm.store(C, {m, n}, sum);
  }
};

/// C = (S - 2 A) B^T with sparse S: instructions of three kinds into one accumulator.
struct sparse_and_dense {
  static constexpr auto operands = sectile::operands(sparse_input<"S(M,K)", f16>(), input<"A(M,K)", f16>(),
                                                     input<"B(N,K)", f16>(), output<"C(M,N)", float>());
  static constexpr sectile::configuration how{
      .tile = {{"M", 128}, {"K", 128}, {"N", 64}}, .stages = 2, .persistent = true};
  static constexpr void body(auto& sm, auto S, auto A, auto B, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A))) {
      auto b = transpose(sm.load(B, {n, k}));
      acc += sm.load(S, {m, k}) * b;
      acc -= sm.load(A, {m, k}) * b;
      acc += in_registers(sm.load(A, {m, k})) * -b;
    }
    sm.store(C, {m, n}, acc);
  }
};

/// C = A B^T + B' A'^T of signed and unsigned factors.
struct mixed_signs {
  static constexpr auto operands =
      sectile::operands(input<"A(M,K)", s8>(), input<"B(N,K)", u8>(), input<"U(M,K)", u8>(), input<"V(N,K)", s8>(),
                        output<"C(M,N)", s32>());
  static constexpr sectile::configuration how = one_consumer.with_tile({{"M", 64}, {"K", 128}, {"N", 64}});
  static constexpr void body(auto& sm, auto A, auto B, auto U, auto V, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A))) {
      acc += sm.load(A, {m, k}) * transpose(sm.load(B, {n, k}));
      acc += sm.load(U, {m, k}) * transpose(sm.load(V, {n, k}));
    }
    sm.store(C, {m, n}, acc);
  }
};

/// C = A B^T + R: a residual that no product reads.
struct residual {
  static constexpr auto operands = sectile::operands(input<"A(M,K)", bf16>(), input<"B(N,K)", bf16>(),
                                                     input<"R(M,N)", bf16>(), output<"C(M,N)", float>());
  static constexpr sectile::configuration how{
      .tile = {{"M", 128}, {"K", 64}, {"N", 64}}, .stages = 3, .cluster = {2, 1}, .persistent = true};
  static constexpr void body(auto& sm, auto A, auto B, auto R, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A))) acc += sm.load(A, {m, k}) * transpose(sm.load(B, {n, k}));
    acc += cast<float>(in_registers(sm.load(R, {m, n})));
    sm.store(C, {m, n}, acc);
  }
};

/// C = A B^T with one fragment that is assigned in every trip, ahead of its product.
struct fragment_ahead {
  static constexpr auto operands =
      sectile::operands(input<"A(M,K)", e4m3>(), input<"B(N,K)", e4m3>(), output<"C(M,N)", float>());
  static constexpr sectile::configuration how = one_consumer.with_tile({{"M", 64}, {"K", 128}, {"N", 64}});
  static constexpr void body(auto& sm, auto A, auto B, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    auto a = in_registers(sm.load(A, {m, 0}));
    for (auto k : sm.pipelined(tiles<"K">(A) - 1)) {
      acc += a * transpose(sm.load(B, {n, k}));
      a = in_registers(sm.load(A, {m, k + 1}));
    }
    acc += a * transpose(sm.load(B, {n, tiles<"K">(A) - 1}));
    sm.store(C, {m, n}, acc);
  }
};

/// Calls run.template operator()<K>(name, C, inputs...) for each program, with C's tensor and the inputs' (typed or
/// sparse matrices), and then check(name, C, expected(i, j)).
template <class Run, class Check>
void for_each_role_program(Run run, Check check) {
  const auto filled = []<class T>(T, int rows, int cols, std::uint64_t seed) {
    typed_matrix<T> x(rows, cols);
    x.fill(contents::whole_numbers, seed);
    return x;
  };
  constexpr int m = 200, n = 72, k = 264;
  {
    typed_matrix<f16> A(64, 64), B(128, 64), D = filled(f16{}, 64, 128, 9);
    typed_matrix<float> C(64, 64);
    for (int i = 0; i < 64; ++i) A.set(i, i, 1), A.set(i, (i + 3) % 64, 1);
    for (int i = 0; i < 128; ++i) B.set(i, i % 64, 1), B.set(i, (i * 5 + 1) % 64, 2);
    run.template operator()<f16_chain>(C, A, B, D);
    check("f16 chain", C, [&](int i, int p) {
      double sum = 0;
      for (int j = 0; j < 128; ++j) sum += exact_dot(A, B, i, j) * D(p, j);
      return sum;
    });
  }
  {
    const auto A = filled(f16{}, m, k, 1), B = filled(f16{}, k, k, 2);
    typed_matrix<float> C(m, k);
    run.template operator()<operand_then_accumulator>(C, A, B);
    check("operand, then accumulator", C, [&](int i, int j) { return 2 * exact_dot(A, B, i, j); });
  }
  {
    auto S = filled(f16{}, m, k, 3);
    const auto A = filled(f16{}, m, k, 1), B = filled(f16{}, n, k, 2);
    prune(S.data.data(), m, k, S.stride);
    typed_matrix<float> C(m, n);
    run.template operator()<sparse_and_dense>(C, compress(S.data.data(), m, k, S.stride), A, B);
    check("sparse and dense", C, [&](int i, int j) { return exact_dot(S, B, i, j) - 2 * exact_dot(A, B, i, j); });
  }
  {
    const auto A = filled(s8{}, m, k, 1), V = filled(s8{}, n, k, 4);
    const auto B = filled(u8{}, n, k, 2), U = filled(u8{}, m, k, 3);
    typed_matrix<s32> C(m, n);
    run.template operator()<mixed_signs>(C, A, B, U, V);
    check("mixed signs", C, [&](int i, int j) { return exact_dot(A, B, i, j) + exact_dot(U, V, i, j); });
  }
  {
    const auto A = filled(bf16{}, m, k, 1), B = filled(bf16{}, n, k, 2), R = filled(bf16{}, m, n, 3);
    typed_matrix<float> C(m, n);
    run.template operator()<residual>(C, A, B, R);
    check("residual", C, [&](int i, int j) { return exact_dot(A, B, i, j) + R(i, j); });
  }
  {
    const auto A = filled(e4m3{}, m, k, 1), B = filled(e4m3{}, n, k, 2);
    typed_matrix<float> C(m, n);
    run.template operator()<fragment_ahead>(C, A, B);
    check("fragment ahead", C, [&](int i, int j) { return exact_dot(A, B, i, j); });
  }
}

}  // namespace sectile::test
