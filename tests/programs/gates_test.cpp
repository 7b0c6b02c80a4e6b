// Two products of the same operand into two accumulators, in one loop or in two.
#include "tests/programs/kit.hpp"

namespace {

using namespace sectile;
using namespace sectile::test;

enum class gate { one_load, two_loops, loaded_twice };

/// (A * B1^T) * (A * B2^T), element by element.
template <gate Form, configuration How>
struct gated {
  static constexpr auto operands = sectile::operands(input<"A(M,K)", bf16>(), input<"B1(N,K)", bf16>(),
                                                     input<"B2(N,K)", bf16>(), output<"C(M,N)", bf16>());
  static constexpr sectile::configuration how = How.with_tile({{"M", 128}, {"K", 64}, {"N", 64}});

  static constexpr void body(auto& sm, auto A, auto B1, auto B2, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto x = sm.accumulator(C), y = sm.accumulator(C);
    if constexpr (Form == gate::one_load)
      for (auto k : sm.pipelined(tiles<"K">(A))) {
        auto a = sm.load(A, {m, k});
        x += a * transpose(sm.load(B1, {n, k}));
        y += a * transpose(sm.load(B2, {n, k}));
      }
    if constexpr (Form == gate::loaded_twice)
      for (auto k : sm.pipelined(tiles<"K">(A))) {
        x += sm.load(A, {m, k}) * transpose(sm.load(B1, {n, k}));
        y += sm.load(A, {m, k}) * transpose(sm.load(B2, {n, k}));
      }
    if constexpr (Form == gate::two_loops) {
      for (auto k : sm.pipelined(tiles<"K">(A))) x += sm.load(A, {m, k}) * transpose(sm.load(B1, {n, k}));
      for (auto k : sm.pipelined(tiles<"K">(A))) y += sm.load(A, {m, k}) * transpose(sm.load(B2, {n, k}));
    }
    sm.store(C, {m, n}, x * y);
  }
};

template <class Program>
void check_gated() {
  constexpr int m = 300, n = 72, k = 136;
  host_tensor<bf16> A({m, k}), B1({n, k}), B2({n, k}), C({m, n}, row_major, 1);
  A.fill(1);
  B1.fill(2);
  B2.fill(3);
  run_on_schedules<Program>(2, C, A.in(), B1.in(), B2.in(), C.view());
  check_close(C, bf16_close, [&](int i, int j) { return dot(A, B1, i, j) * dot(A, B2, i, j); });
}

}  // namespace

TEST_CASE("a gate: one tile of A for two products") {
  if constexpr (exhaustively) check_gated<gated<gate::one_load, configuration{.stages = 3, .cluster = {2, 1}}>>();
}

TEST_CASE("a gate in a persistent kernel with two stages") {
  check_gated<gated<gate::one_load, configuration{.stages = 2, .cluster = {2, 1}, .persistent = true}>>();
}

TEST_CASE("a gate with a stagger") {
  if constexpr (exhaustively)
    check_gated<gated<gate::one_load, configuration{.stages = 3, .persistent = true, .stagger = 1}>>();
}

TEST_CASE("two loops over the same operand") {
  if constexpr (exhaustively) {
    check_gated<gated<gate::two_loops, configuration{.stages = 2, .cluster = {2, 1}}>>();
  }
}

TEST_CASE("two loops in a persistent kernel with a stagger") {
  check_gated<
      gated<gate::two_loops, configuration{.stages = 3, .cluster = {2, 1}, .persistent = true, .stagger = 2}>>();
}

TEST_CASE("an operand loaded twice in each trip") {
  check_gated<gated<gate::loaded_twice, configuration{.stages = 4, .cluster = {2, 1}, .persistent = true}>>();
}
