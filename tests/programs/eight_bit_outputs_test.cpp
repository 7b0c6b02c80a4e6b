// Outputs of 8-bit elements: rounded once, clamped to the largest number, whatever the tile and the schedule.
#include <sectile/dsl/launch/portable_model.hpp>

#include "tests/programs/types.hpp"

namespace {

using namespace sectile;
using namespace sectile::test;

/// C = scale * A B^T, rounded where it is stored.
template <class Out, int M, int N, int K, configuration How>
struct scaled_product {
  static constexpr auto operands = sectile::operands(input<"A(M,K)", bf16>(), input<"B(N,K)", bf16>(),
                                                     output<"C(M,N)", Out>(), scalar<"scale", float>());
  static constexpr sectile::configuration how = How.with_tile({{"M", M}, {"K", K}, {"N", N}});

  static constexpr void body(auto& sm, auto A, auto B, auto C, auto scale) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A))) acc += sm.load(A, {m, k}) * transpose(sm.load(B, {n, k}));
    sm.store(C, {m, n}, acc * scale);
  }
};
/// The same, rounded before, and stored as it is.
template <class Out>
struct rounded_before : scaled_product<Out, 64, 64, 64, configuration{.stages = 2, .consumers = 1}> {
  static constexpr void body(auto& sm, auto A, auto B, auto C, auto scale) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A))) acc += sm.load(A, {m, k}) * transpose(sm.load(B, {n, k}));
    sm.store(C, {m, n}, cast<Out>(acc * scale));
  }
};

template <class Out>
bool same_bits(Out x, Out y) {
  return std::memcmp(&x, &y, sizeof x) == 0;
}
/// Whole numbers, whose sums and their multiples by powers of two are exact, against the type's own rounding.
template <class K, class Out>
void check_rounded(int m, int n, int k, float scale, auto run) {
  CAPTURE(element_of<Out>().name);
  CAPTURE(n);
  typed_matrix<bf16> A(m, k), B(n, k);
  typed_matrix<Out> C(m, n);
  A.fill(contents::whole_numbers, 1);
  B.fill(contents::whole_numbers, 2);
  run(A, B, C, scale);
  int wrong = 0, clamped = 0;
  for (std::int64_t i = 0; i < m; ++i)
    for (std::int64_t j = 0; j < n; ++j) {
      const float sum = static_cast<float>(exact_dot(A, B, i, j)) * scale;
      wrong += !same_bits(C.data[C.place(i, j)], rounded_to<Out>(sum));
      clamped += static_cast<double>(sum) != 0 && std::abs(static_cast<double>(sum)) > std::abs(C(i, j)) * 1.5;
    }
  CHECK(wrong == 0);
  if (scale > 100) CHECK(clamped > 0);
}
template <class K, class Out>
void check_on_model(int m, int n, int k, float scale) {
  check_rounded<K, Out>(m, n, k, scale, [](auto& A, auto& B, auto& C, float s) {
    run_on_model_with<K>({.schedule = schedule_mode::random, .seed = 7, .workers = 2}, A.in(), B.in(), C.out(), s);
  });
}

template <class Out>
using upright = scaled_product<Out, 128, 96, 64, configuration{.stages = 3, .consumers = 2}>;
template <class Out>
using deferred = scaled_product<Out, 128, 128, 64, configuration{.stages = 3, .consumers = 2, .persistent = true}>;
template <class Out>
using tall = scaled_product<Out, 256, 32, 64, configuration{.stages = 2, .cluster = {2, 1}, .consumers = 2}>;
static_assert(plan_of<deferred<e4m3>>.epilogue[0].deferred && verified<deferred<e4m3>>);

/// Of two types that differ in how they round alone, one is stored at once, the other under the next tile's products;
/// exhaustively both either way, and in clusters.
template <class Out, bool Deferred>
void check_type() {
  if constexpr (exhaustively || !Deferred) {
    check_on_model<upright<Out>, Out>(150, 200, 130, 0.25f);
    check_on_model<upright<Out>, Out>(40, 77, 64, 65536.0f);  // columns that TMA does not store, and what is too large
  }
  if constexpr (exhaustively || std::is_same_v<Out, e4m3>)
    check_on_model<rounded_before<Out>, Out>(100, 50, 64, 0.0625f);
  if constexpr (exhaustively || Deferred) {
    check_on_model<deferred<Out>, Out>(300, 333, 64, 0.125f);
    check_on_model<deferred<Out>, Out>(40, 77, 64, 65536.0f);
  }
  if constexpr (exhaustively) check_on_model<tall<Out>, Out>(600, 64, 128, 0.5f);
}

}  // namespace

TEST_CASE("outputs of e4m3 and e5m2") {
  check_type<e4m3, false>();
  check_type<e5m2, true>();
}
TEST_CASE("outputs of s8 and u8") {
  check_type<s8, false>();
  check_type<u8, true>();
}
TEST_CASE("the portable reading rounds as the chip does") {
  const auto run = [](auto& A, auto& B, auto& C, float s) {
    using out = std::remove_cvref_t<decltype(C.data[0])>;
    run_portable_on_model<upright<out>, portable::simt>(A.in(), B.in(), C.out(), s);
  };
  check_rounded<upright<e4m3>, e4m3>(150, 77, 64, 0.25f, run);
  if constexpr (exhaustively) check_rounded<upright<s8>, s8>(150, 77, 64, 0.125f, run);
}
TEST_CASE("sums that are no numbers, or infinite") {
  typed_matrix<bf16> A(64, 64), B(32, 64);
  typed_matrix<s8> C(64, 32);
  typed_matrix<e4m3> D(64, 32);
  A.set(0, 0, 1), A.data[A.place(1, 0)] = bf16(__builtin_nanf("")), A.data[A.place(2, 0)] = bf16(infinity);
  A.data[A.place(3, 0)] = bf16(-infinity);
  for (int j = 0; j < 32; ++j) B.set(j, 0, 1);
  run_on_model<upright<s8>>(A.in(), B.in(), C.out(), 1.0f);
  run_on_model<upright<e4m3>>(A.in(), B.in(), D.out(), 1.0f);
  CHECK(C(0, 5) == 1);
  CHECK(C(1, 5) == 0);
  CHECK(C(2, 5) == 127);
  CHECK(C(3, 5) == -128);
  CHECK(D.data[D.place(1, 5)].bits == 0x7F);
  CHECK(D(2, 5) == 448);
  CHECK(D(3, 5) == -448);
}
