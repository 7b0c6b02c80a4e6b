// Signs of operands, and accumulators that become operands or floats.
#include "tests/programs/types.hpp"

namespace {

using namespace sectile;
using namespace sectile::test;

/// acc - A B^T with signs on every side, and sums of s32 that leave its range.
struct signs {
  static constexpr auto operands =
      sectile::operands(input<"A(M,K)", f16>(), input<"B(N,K)", f16>(), output<"C(M,N)", float>());
  static constexpr sectile::configuration how{.tile = {{"M", 64}, {"K", 64}, {"N", 64}}, .stages = 2, .consumers = 1};
  static constexpr void body(auto& sm, auto A, auto B, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A))) {
      auto a = sm.load(A, {m, k});
      auto b = transpose(sm.load(B, {n, k}));
      acc += a * b;
      acc -= -a * b;
      acc += -a * -b;
      acc -= a * b;
      acc -= in_registers(a) * -b;
    }
    sm.store(C, {m, n}, acc);
  }
};
TEST_CASE("negated operands") {
  typed_matrix<f16> A(64, 72), B(40, 72);
  typed_matrix<float> C(64, 40);
  A.fill(contents::whole_numbers, 1);
  B.fill(contents::whole_numbers, 2);
  run_on_model<signs>(A.in(), B.in(), C.out());
  int wrong = 0;
  for (int i = 0; i < 64; ++i)
    for (int j = 0; j < 40; ++j) wrong += C(i, j) != 3 * exact_dot(A, B, i, j);
  CHECK(wrong == 0);
}

/// T(A B^T) D^T: an accumulator becomes the left operand of the next product.
template <class T>
struct chain {
  static constexpr int tile_k = 1024 / element_of<T>().bits;
  static constexpr auto operands =
      sectile::operands(input<"A(M,K)", T>(), input<"B(N,K)", T>(), input<"D(P,N)", T>(),
                        output<"C(M,P)", sum_type<T>>());
  static constexpr sectile::configuration how{
      .tile = {{"M", 64}, {"K", tile_k}, {"N", tile_k}, {"P", 64}}, .stages = 2, .consumers = 1};

  static constexpr void body(auto& sm, auto A, auto B, auto D, auto C) {
    auto [m, p] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    for (auto n : sm.pipelined(tiles<"N">(B))) {
      auto s = sm.accumulator(sm.load(A, {m, 0}) * transpose(sm.load(B, {n, 0})));
      auto t = cast<T>(cast<float>(s));
      acc += t * transpose(sm.load(D, {p, n}));
    }
    sm.store(C, {m, p}, acc);
  }
};
template <class T>
void check_chain() {
  CAPTURE(element_of<T>().name);
  const int k = 128 / element_of<T>().bits, n = 3 * 128 / element_of<T>().bits;
  typed_matrix<T> A(70, k), B(n, k), D(40, n);
  typed_matrix<sum_type<T>> C(70, 40);
  // Sums of a few ones and zeros: whole numbers that 8 bits hold.
  for (int i = 0; i < 70; ++i) A.set(i, i % k, 1), A.set(i, (i + 3) % k, 1);
  for (int i = 0; i < n; ++i) B.set(i, i % k, 1), B.set(i, (i * 5 + 1) % k, 2);
  D.fill(contents::whole_numbers, 9);
  run_on_model<chain<T>>(A.in(), B.in(), D.in(), C.out());
  int wrong = 0;
  for (int i = 0; i < 70; ++i)
    for (int p = 0; p < 40; ++p) {
      double sum = 0;
      for (int j = 0; j < n; ++j) sum += exact_dot(A, B, i, j) * D(p, j);
      wrong += C(i, p) != sum;
    }
  CHECK(wrong == 0);
}
TEST_CASE("an accumulator as the next product's left operand, of every type") {
  check_chain<e5m2>();
  if constexpr (exhaustively) {  // the others of 32, of 16 and of 8 bits
    check_chain<tf32>();
    check_chain<u8>();
    check_chain<f16>();          // as chains_test.cpp has of bf16
    check_chain<bf16>();
    check_chain<e4m3>();
    check_chain<s8>();
  }
}

/// Sums of each K tile added to a total in f32 by ordinary instructions, as fp8 GEMMs do to keep more than 13 bits;
/// then one more product into the total.
struct promoted {
  static constexpr auto operands =
      sectile::operands(input<"A(M,K)", e4m3>(), input<"B(N,K)", e4m3>(), output<"C(M,N)", float>());
  static constexpr sectile::configuration how{
      .tile = {{"M", 64}, {"K", 128}, {"N", 64}}, .stages = 2, .consumers = 1, .persistent = true};
  static constexpr void body(auto& sm, auto A, auto B, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto total = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A))) {
      auto part = sm.accumulator(sm.load(A, {m, k}) * transpose(sm.load(B, {n, k})));
      total += part;
    }
    total += sm.load(A, {m, 0}) * transpose(sm.load(B, {n, 0}));
    sm.store(C, {m, n}, total);
  }
};
template <class Kernel>
void check_promoted() {
  typed_matrix<e4m3> A(130, 304), B(72, 304);
  typed_matrix<float> C(130, 72);
  A.fill(contents::whole_numbers, 1);
  B.fill(contents::whole_numbers, 2);
  run_on_model<Kernel>(A.in(), B.in(), C.out());
  int wrong = 0;
  for (int i = 0; i < 130; ++i)
    for (int j = 0; j < 72; ++j) {
      double sum = exact_dot(A, B, i, j);
      for (int k = 0; k < 128; ++k) sum += A(i, k) * B(j, k);
      wrong += C(i, j) != sum;
    }
  CHECK(wrong == 0);
}
TEST_CASE("a total of partial sums, and a product into it") {
  if constexpr (exhaustively) check_promoted<promoted>();  // otherwise one of scaled sums: block_scales_test.cpp
}

/// cast<float> of what is summed in s32 and f16.
template <class T, class Sum>
struct scaled {
  static constexpr int tile_k = 1024 / element_of<T>().bits;
  static constexpr auto operands = sectile::operands(input<"A(M,K)", T>(), input<"B(N,K)", T>(),
                                                     output<"C(M,N)", float>(), scalar<"scale", float>());
  static constexpr sectile::configuration how{
      .tile = {{"M", 64}, {"K", tile_k}, {"N", 64}}, .stages = 2, .consumers = 1};
  static constexpr void body(auto& sm, auto A, auto B, auto C, auto scale) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C, as<Sum>());
    for (auto k : sm.pipelined(tiles<"K">(A))) acc += sm.load(A, {m, k}) * transpose(sm.load(B, {n, k}));
    sm.store(C, {m, n}, cast<float>(acc) * scale);
  }
};
template <class T, class Sum>
void check_scaled() {
  typed_matrix<T> A(70, 96), B(20, 96);
  typed_matrix<float> C(70, 20);
  A.fill(contents::whole_numbers, 1);
  B.fill(contents::whole_numbers, 2);
  run_on_model<scaled<T, Sum>>(A.in(), B.in(), C.out(), 0.5F);
  int wrong = 0;
  for (int i = 0; i < 70; ++i)
    for (int j = 0; j < 20; ++j) wrong += C(i, j) != 0.5 * exact_dot(A, B, i, j);
  CHECK(wrong == 0);
}
TEST_CASE("sums of s32 and f16 as floats") {
  if constexpr (exhaustively) check_scaled<s8, s32>();
  check_scaled<f16, f16>();
}

}  // namespace
