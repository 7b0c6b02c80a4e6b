// Bodies with several products: into several accumulators, in several loops, of tiles that stay.
#include "tests/programs/matmul.hpp"

namespace {

using namespace sectile;
using namespace sectile::test;

enum class gate { one_load, two_loops, loaded_twice };

/// (A * B1^T) * (A * B2^T), element by element.
template <gate Form, schedule How>
struct gated {
  static constexpr auto operands = sectile::operands(
      input<"A(M,K)", bf16>(row_major, tile(128, 64)), input<"B1(N,K)", bf16>(row_major, tile(64, 64)),
      input<"B2(N,K)", bf16>(row_major, tile(64, 64)), output<"C(M,N)", bf16>(row_major, tile(128, 64)));
  static constexpr sectile::schedule schedule = How;

  static constexpr void body(auto& sm, auto A, auto B1, auto B2, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto x = sm.accumulator(C), y = sm.accumulator(C);
    if constexpr (Form == gate::one_load)
      for (auto k : sm.pipelined(A.tiles(1))) {
        auto a = sm.load(A, {m, k});
        x += a * transpose(sm.load(B1, {n, k}));
        y += a * transpose(sm.load(B2, {n, k}));
      }
    if constexpr (Form == gate::loaded_twice)
      for (auto k : sm.pipelined(A.tiles(1))) {
        x += sm.load(A, {m, k}) * transpose(sm.load(B1, {n, k}));
        y += sm.load(A, {m, k}) * transpose(sm.load(B2, {n, k}));
      }
    if constexpr (Form == gate::two_loops) {
      for (auto k : sm.pipelined(A.tiles(1))) x += sm.load(A, {m, k}) * transpose(sm.load(B1, {n, k}));
      for (auto k : sm.pipelined(A.tiles(1))) y += sm.load(A, {m, k}) * transpose(sm.load(B2, {n, k}));
    }
    sm.store(C, {m, n}, x * y);
  }
};

template <class Program>
void check_gated() {
  constexpr int m = 300, n = 150, k = 200;
  host_tensor<bf16> A({m, k}), B1({n, k}), B2({n, k}), C({m, n}, row_major, 1);
  A.fill(1);
  B1.fill(2);
  B2.fill(3);
  run_on_schedules<Program>(2, C, A.in(), B1.in(), B2.in(), C.view());
  check_close(C, bf16_close, [&](int i, int j) { return dot(A, B1, i, j) * dot(A, B2, i, j); });
}

/// Everything but what differs: tiles of 128 x 64, 64 deep.
struct small_tiles {
  static constexpr auto operands = sectile::operands(input<"A(M,K)", bf16>(row_major, tile(128, 64)),
                                                     input<"B(N,K)", bf16>(row_major, tile(64, 64)),
                                                     output<"C(M,N)", bf16>(row_major, tile(128, 64)));
  static constexpr sectile::schedule schedule{.stages = 3, .consumers = 2};
};

struct without_a_loop : small_tiles {
  static constexpr void body(auto& sm, auto A, auto B, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    acc += sm.load(A, {m, 0}) * transpose(sm.load(B, {n, 0}));
    sm.store(C, {m, n}, acc);
  }
};

struct two_tiles_per_trip : small_tiles {
  static constexpr sectile::schedule schedule{.stages = 4, .consumers = 2};
  static constexpr void body(auto& sm, auto A, auto B, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    for (auto k : sm.pipelined(A.tiles(1) / 2)) {
      auto a = sm.load(A, {m, 2 * k});
      auto b = sm.load(A, {m, 2 * k + 1});
      acc += a * transpose(sm.load(B, {n, 2 * k}));
      acc += b * transpose(sm.load(B, {n, 2 * k + 1}));
    }
    sm.store(C, {m, n}, acc);
  }
};

/// B is one tile deep and stays in shared memory.
struct resident_b : small_tiles {
  static constexpr sectile::schedule schedule{.stages = 3, .consumers = 2, .persistent = true};
  static constexpr void body(auto& sm, auto A, auto B, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto b = sm.load(B, {n, 0});
    auto acc = sm.accumulator(C);
    for (auto k : sm.pipelined(A.tiles(1))) acc += sm.load(A, {m, k}) * transpose(b);
    sm.store(C, {m, n}, acc);
  }
};

}  // namespace

TEST_CASE("a gate: one tile of A for two products") {
  check_gated<gated<gate::one_load, schedule{.stages = 3, .cluster = {2, 1}}>>();
}

TEST_CASE("a gate in a persistent kernel with two stages") {
  check_gated<gated<gate::one_load, schedule{.stages = 2, .cluster = {2, 1}, .persistent = true}>>();
}

TEST_CASE("a gate with a stagger") { check_gated<gated<gate::one_load, schedule{.stages = 3, .persistent = true, .stagger = 1}>>(); }

TEST_CASE("two loops over the same operand") {
  check_gated<gated<gate::two_loops, schedule{.stages = 2, .cluster = {2, 1}}>>();
}

TEST_CASE("two loops in a persistent kernel with a stagger") {
  check_gated<gated<gate::two_loops, schedule{.stages = 3, .cluster = {2, 1}, .persistent = true, .stagger = 2}>>();
}

TEST_CASE("an operand loaded twice in each trip") {
  check_gated<gated<gate::loaded_twice, schedule{.stages = 4, .cluster = {2, 1}, .persistent = true}>>();
}

TEST_CASE("a product without a loop") { check_matmul<without_a_loop>(200, 100, 50); }

TEST_CASE("two tiles of each operand in every trip") { check_matmul<two_tiles_per_trip>(200, 100, 512); }

TEST_CASE("an operand that stays in shared memory for the whole loop") { check_matmul<resident_b>(900, 200, 64); }
