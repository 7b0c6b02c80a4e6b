// In how many parts products make left factors of narrower elements, and what a plan counts for it.
#include <doctest/doctest.h>

#include <sectile/dsl/proofs/verified.hpp>

#include "tests/programs/matmul.hpp"

namespace {

using namespace sectile;

/// C = A B^T, where A becomes bf16 in registers.
template <class Narrow, configuration How>
struct widening {
  static constexpr auto operands =
      sectile::operands(input<"A(M,K)", Narrow>(), input<"B(N,K)", bf16>(), output<"C(M,N)", bf16>());
  static constexpr configuration how = How;
  static constexpr void body(auto& sm, auto A, auto B, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C, as<float>());
    for (auto k : sm.pipelined(tiles<"K">(A)))
      acc += cast<bf16>(in_registers(sm.load(A, {m, k}))) * transpose(sm.load(B, {n, k}));
    sm.store(C, {m, n}, acc);
  }
};
/// The same, and a product of two tiles beside it.
struct with_another {
  static constexpr auto operands = sectile::operands(input<"A(M,K)", e4m3>(), input<"B(N,K)", bf16>(),
                                                     input<"D(M,K)", bf16>(), output<"C(M,N)", bf16>());
  static constexpr configuration how{
      .tile = {{"M", 128}, {"N", 64}, {"K", 64}}, .stages = 3, .consumers = 2};
  static constexpr void body(auto& sm, auto A, auto B, auto D, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A))) {
      auto b = transpose(sm.load(B, {n, k}));
      acc += cast<bf16>(in_registers(sm.load(A, {m, k}))) * b;
      acc += sm.load(D, {m, k}) * b;
    }
    sm.store(C, {m, n}, acc);
  }
};

constexpr configuration how(int k, int stages, int consumers) {
  return {.tile = {{"M", 64 * consumers}, {"N", 64}, {"K", k}}, .stages = stages, .consumers = consumers};
}
constexpr configuration in_turns = [] {
  configuration c = how(64, 3, 2);
  c.pingpong = true;
  return c;
}();
template <class Narrow, configuration How>
constexpr int parts = plan_of<widening<Narrow, How>>.widening_parts;

TEST_CASE("a factor is made in halves where there are three stages and whole steps in each half") {
  CHECK(parts<s8, how(64, 3, 2)> == 2);
  CHECK(parts<s8, how(64, 2, 2)> == 1);
  CHECK(parts<s8, how(96, 3, 2)> == 1);  // three steps of 32 columns
  CHECK(parts<s4x2, how(128, 3, 2)> == 2);
  CHECK(parts<s4x2, how(64, 3, 2)> == 1);  // one step
  CHECK(parts<s8, in_turns> == 1);
  CHECK(plan_of<with_another>.widening_parts == 1);
  CHECK(plan_of<test::matmul<64, 64, 64, how(64, 3, 1)>>.widening_parts == 0);
}
TEST_CASE("a lone consumer converts integers of 8 bits whole") {
  CHECK(parts<s8, how(64, 3, 1)> == 1);
  CHECK(parts<e4m3, how(64, 3, 1)> == 2);
  CHECK(parts<u4x2, how(128, 3, 1)> == 2);
}
TEST_CASE("two sets have the registers of one whole factor; the last product runs on") {
  constexpr const plan& halves = plan_of<widening<s8, how(64, 3, 2)>>;
  constexpr const plan& whole = plan_of<widening<s8, how(64, 2, 2)>>;
  CHECK(widening_registers(halves) == 8);
  CHECK(widening_registers(whole) == 16);
  CHECK(halves.accumulator_registers == whole.accumulator_registers);
  const int at = halves.products.position[0];
  CHECK(halves.steps[at].wait_after == 1);
  CHECK(halves.steps[at].keep[0] == 1);
  CHECK(whole.steps[at].wait_after == 0);
  CHECK(whole.steps[at].keep[0] == 0);
}
TEST_CASE("all of them are proven") {
  CHECK(verified<widening<s8, how(64, 3, 2)>>);
  CHECK(verified<widening<s8, how(96, 3, 2)>>);
  CHECK(verified<widening<s8, in_turns>>);
  CHECK(verified<widening<e4m3, how(64, 3, 1)>>);
  CHECK(verified<with_another>);
}

}  // namespace
