// C++ leaves open which operand of `+` is evaluated first, and compilers differ. A program whose meaning hangs on it
// passes the proofs, because the planner's order is as good as any; where the roles then run in another order, the
// model says so.
#include <doctest/doctest.h>

#include <sectile/dsl.hpp>
#include <sectile/dsl/launch/model.hpp>
#include <string>

#include "tests/programs/kit.hpp"

namespace {

using namespace sectile;
using test::host_tensor;

template <bool Named>
struct two_sums {
  static constexpr auto operands =
      sectile::operands(input<"A(M,K)", bf16>(), input<"B(N,K)", bf16>(), output<"C(M,N)", bf16>());
  static constexpr sectile::configuration how{.tile = {{"M", 64}, {"K", 64}, {"N", 64}}, .stages = 2, .consumers = 1};
  static constexpr void body(auto& sm, auto A, auto B, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto p = sm.accumulator(C), q = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A))) {
      auto a = sm.load(A, {m, k});
      auto b = sm.load(B, {n, k});
      p += a * transpose(b);
      q -= a * transpose(b);
    }
    if constexpr (Named) {
      auto x = exp2(p);
      auto y = exp2(q);
      sm.store(C, {m, n}, x + y);
    } else {
      sm.store(C, {m, n}, exp2(p) + exp2(q));
    }
  }
};
static_assert(verified<two_sums<true>> && verified<two_sums<false>>);

/// A residual: an element-wise expression of the sums on the left, a tile turned into numbers on the right.
struct scaled_with_residual {
  static constexpr auto operands = sectile::operands(input<"A(M,K)", bf16>(), input<"B(N,K)", bf16>(),
                                                     input<"R(M,N)", bf16>(), output<"C(M,N)", bf16>());
  static constexpr sectile::configuration how{.tile = {{"M", 64}, {"K", 64}, {"N", 64}}, .stages = 2, .consumers = 1};
  static constexpr void body(auto& sm, auto A, auto B, auto R, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A))) acc += sm.load(A, {m, k}) * transpose(sm.load(B, {n, k}));
    sm.store(C, {m, n}, acc * 2.0f + cast<float>(in_registers(sm.load(R, {m, n}))));
  }
};
static_assert(verified<scaled_with_residual>);

/// What the model reports, "" if nothing.
template <class K, class... More>
std::string report(const More&... more) {
  host_tensor<bf16> A({64, 128}), B({64, 128}), C({64, 64});
  A.fill(1);
  B.fill(2);
  try {
    run_on_model_with<K>({.workers = 1}, A.in(), B.in(), more..., C.view());
  } catch (const model::hazard& h) {
    CHECK(h.kind == model::hazard_kind::order_of_evaluation);
    return h.what();
  }
  return "";
}

/// C = X + Y, of two rings.
struct sum_of_two_tiles {
  static constexpr auto operands =
      sectile::operands(input<"X(M,N)", bf16>(), input<"Y(M,N)", bf16>(), output<"C(M,N)", float>());
  static constexpr sectile::configuration how{
      .tile = {{"M", 64}, {"N", 64}}, .stages = 2, .consumers = 1, .persistent = true};

  static constexpr void body(auto& sm, auto X, auto Y, auto C) {
    auto [m, n] = sm.tile_of(C);
    sm.store(C, {m, n}, cast<float>(in_registers(sm.load(X, {m, n}))) + cast<float>(in_registers(sm.load(Y, {m, n}))));
  }
};
static_assert(verified<sum_of_two_tiles>);

int count_calls(int& calls) { return ++calls; }
/// Whether this compiler evaluates the left operand first, as constant evaluation does everywhere.
bool left_first() {
  struct number {
    int value;
    bool less(const number& other) const { return value < other.value; }
  };
  int calls = 0;
  const auto compare = [](const number& x, const number& y) { return x.less(y); };
  return compare(number{count_calls(calls)}, number{count_calls(calls)});
}

TEST_CASE("operands with names are used in the order of the text") { CHECK(report<two_sums<true>>() == ""); }

TEST_CASE("a tile beside an expression of the sums is read in either order") {
  host_tensor<bf16> R({64, 64});
  R.fill(3);
  CHECK(report<scaled_with_residual>(R.in()) == "");
}

TEST_CASE("tiles that come into registers in one expression release their own stages, in either order") {
  constexpr int m = 200, n = 130;
  host_tensor<bf16> X({m, n}), Y({m, n});
  host_tensor<float> C({m, n});
  X.fill(1);
  Y.fill(2);
  test::run_on_schedules<sum_of_two_tiles>(2, C, X.in(), Y.in(), C.view());
  check_close(C, test::f32_close, [&](int i, int j) { return X.number(i, j) + Y.number(i, j); });
}

TEST_CASE("operands of one expression: in order, or reported") {
  const std::string said = report<two_sums<false>>();
  CAPTURE(said);
  if (left_first())
    CHECK(said == "");
  else
    CHECK(said.find("give the operands names, as in auto x = exp2(p)") != std::string::npos);
}

}  // namespace
