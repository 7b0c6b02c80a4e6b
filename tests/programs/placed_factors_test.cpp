// Left factors in registers where the configuration swaps: they go through shared memory, and the bits are those of a
// configuration that does not swap.
#include <sectile/kernels/chained_linear.hpp>

#include "tests/programs/kit.hpp"

namespace {

using namespace sectile;
using namespace sectile::test;

constexpr configuration in_tiles(int m, bool swap, int consumers, bool own_tiles = false) {
  return {.tile = {{"M", m}, {"N", 128}, {"L", 128}, {"K", 64}},
          .stages = 2,
          .consumers = consumers,
          .own_tiles = own_tiles,
          .persistent = own_tiles,
          .swap = swap};
}
template <class T, configuration How>
struct chained : kernels::chained_linear<T> {
  static constexpr configuration how = How;
};
template <class T>
using upright = chained<T, in_tiles(64, false, 1)>;
template <class T, int Rows, int Consumers>
using swapped = chained<T, in_tiles(Rows, true, Consumers)>;

// A place for each tile at a time, of the 128 columns of both panels; no wait lets such a product run into the next
// trip.
static_assert(plan_of<swapped<bf16, 16, 2>>.placed.places == 1 && plan_of<swapped<bf16, 16, 2>>.placed.pitch == 4096);
static_assert(plan_of<swapped<bf16, 8, 1>>.placed.pitch == 2048 && plan_of<upright<bf16>>.placed.places == 0);
static_assert(plan_of<chained<bf16, in_tiles(16, true, 2, true)>>.placed.places == 2);
static_assert(plan_of<swapped<bf16, 16, 1>>.products.at[2].placed && plan_of<swapped<bf16, 16, 1>>.products.count == 3);
static_assert(plan_of<swapped<bf16, 16, 1>>.steps[plan_of<swapped<bf16, 16, 1>>.products.position[2]].wait_after == 0);
static_assert(same_sums<swapped<bf16, 16, 2>, upright<bf16>>);

template <class T, class Swapped>
void check_same_bits(int m, int n, int k, int between) {
  static_assert(verified<Swapped>);
  CAPTURE(m);
  host_tensor<T> A({m, k}), W({between, k}), V({n, between}), C({m, n});
  A.fill(1), W.fill(2), V.fill(3);
  run_on_schedules<upright<T>>(0, C, A.in(), W.in(), V.in(), C.view());
  const std::vector<T> plain = C.elements();
  run_on_schedules<Swapped>(2, C, A.in(), W.in(), V.in(), C.view());
  const std::vector<T> found = C.elements();
  CHECK(std::memcmp(plain.data(), found.data(), plain.size() * sizeof(T)) == 0);
}

TEST_CASE("one consumer, which writes both panels") {
  check_same_bits<bf16, swapped<bf16, 16, 1>>(37, 136, 72, 290);
  check_same_bits<bf16, swapped<bf16, 8, 1>>(5, 9, 7, 11);
}
TEST_CASE("two consumers, which write a panel each") {
  check_same_bits<bf16, swapped<bf16, 16, 2>>(37, 136, 72, 290);
  check_same_bits<f16, swapped<f16, 24, 2>>(50, 130, 64, 128);
}
TEST_CASE("consumers with tiles of their own, each with a place of its own") {
  check_same_bits<bf16, chained<bf16, in_tiles(16, true, 2, true)>>(70, 300, 72, 290);
}
TEST_CASE("a tile of 64 rows") {
  if constexpr (exhaustively) check_same_bits<bf16, swapped<bf16, 64, 2>>(130, 136, 72, 290);
}

/// What a tile brings is a left factor in registers as well.
template <bool Swap>
struct brought {
  static constexpr auto operands =
      sectile::operands(input<"A(M,K)", bf16>(), input<"B(N,K)", bf16>(), output<"C(M,N)", float>());
  static constexpr configuration how{
      .tile = {{"M", 64}, {"N", 128}, {"K", 64}}, .stages = 3, .consumers = 1, .swap = Swap};
  static constexpr void body(auto& sm, auto A, auto B, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A))) acc += in_registers(sm.load(A, {m, k})) * transpose(sm.load(B, {n, k}));
    sm.store(C, {m, n}, acc);
  }
};
static_assert(verified<brought<true>> && verified<brought<false>>);
TEST_CASE("a tile that is brought into registers") {
  host_tensor<bf16> A({70, 200}), B({130, 200});
  host_tensor<float> C({70, 130});
  A.fill(1), B.fill(2);
  run_on_schedules<brought<false>>(0, C, A.in(), B.in(), C.view());
  const std::vector<float> plain = C.elements();
  run_on_schedules<brought<true>>(2, C, A.in(), B.in(), C.view());
  const std::vector<float> found = C.elements();
  CHECK(std::memcmp(plain.data(), found.data(), plain.size() * sizeof(float)) == 0);
}

/// A factor of two products, behind which another one comes: the first is written once, and one product runs while the
/// next is issued.
template <bool Swap>
struct in_a_row {
  static constexpr auto operands =
      sectile::operands(input<"A(M,K)", bf16>(), input<"E(M,K)", bf16>(), input<"B(N,K)", bf16>(),
                        input<"D(N,K)", bf16>(), output<"C(M,N)", float>());
  static constexpr configuration how{
      .tile = {{"M", 64}, {"N", 64}, {"K", 64}}, .stages = 2, .consumers = 1, .swap = Swap};
  static constexpr void body(auto& sm, auto A, auto E, auto B, auto D, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto x = sm.accumulator(C), y = sm.accumulator(C), z = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A))) {
      const auto a = in_registers(sm.load(A, {m, k})), e = in_registers(sm.load(E, {m, k}));
      const auto b = sm.load(B, {n, k}), d = sm.load(D, {n, k});
      x += a * transpose(b);
      y += a * transpose(d);
      z += e * transpose(d);
    }
    sm.store(C, {m, n}, x + y * 2.0f + z * 4.0f);
  }
};
constexpr const step& step_of_product(int n) {
  return plan_of<in_a_row<true>>.steps[plan_of<in_a_row<true>>.products.position[n]];
}
static_assert(verified<in_a_row<true>> && verified<in_a_row<false>>);
static_assert(!step_of_product(0).in_place && step_of_product(1).in_place && !step_of_product(2).in_place);
static_assert(step_of_product(0).wait_after == -1 && step_of_product(1).wait_after == 0);
TEST_CASE("a factor that products in a row read") {
  host_tensor<bf16> A({70, 200}), E({70, 200}), B({66, 200}), D({66, 200});
  host_tensor<float> C({70, 66});
  A.fill(1), B.fill(2), D.fill(3), E.fill(4);
  run_on_schedules<in_a_row<false>>(0, C, A.in(), E.in(), B.in(), D.in(), C.view());
  const std::vector<float> plain = C.elements();
  run_on_schedules<in_a_row<true>>(2, C, A.in(), E.in(), B.in(), D.in(), C.view());
  const std::vector<float> found = C.elements();
  CHECK(std::memcmp(plain.data(), found.data(), plain.size() * sizeof(float)) == 0);
}

/// One factor for all trips: it is written again in each, when the product before is complete.
template <bool Swap>
struct kept_factor {
  static constexpr auto operands = sectile::operands(input<"A(M,K)", bf16>(), input<"B(T,K)", bf16>(),
                                                     input<"D(U,T,N)", bf16>(), output<"C(M,N)", float>());
  static constexpr configuration how{
      .tile = {{"M", 64}, {"T", 64}, {"K", 64}, {"N", 64}}, .stages = 3, .consumers = 1, .swap = Swap};
  static constexpr void body(auto& sm, auto A, auto B, auto D, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto s = sm.accumulator(sm.load(A, {m, 0}) * transpose(sm.load(B, {0, 0})));
    const auto p = cast<bf16>(s);
    auto acc = sm.accumulator(C);
    for (auto u : sm.pipelined(tiles<"U">(D))) acc += p * sm.load(D, {u, 0, n});
    sm.store(C, {m, n}, acc);
  }
};
static_assert(verified<kept_factor<true>>);
TEST_CASE("a factor that a loop uses again and again") {
  host_tensor<bf16> A({70, 60}), B({50, 60}), D({4, 50, 72});
  host_tensor<float> C({70, 72});
  A.fill(1), B.fill(2), D.fill(3);
  run_on_schedules<kept_factor<false>>(0, C, A.in(), B.in(), D.in(), C.view());
  const std::vector<float> plain = C.elements();
  run_on_schedules<kept_factor<true>>(2, C, A.in(), B.in(), D.in(), C.view());
  const std::vector<float> found = C.elements();
  CHECK(std::memcmp(plain.data(), found.data(), plain.size() * sizeof(float)) == 0);
}

}  // namespace
