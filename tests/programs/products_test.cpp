// Bodies with products outside of loops, with several in one trip, and with tiles that stay.
#include "tests/programs/matmul.hpp"

namespace {

using namespace sectile;
using namespace sectile::test;

/// Everything but what differs: tiles of 128 x 64, 64 deep.
struct small_tiles {
  static constexpr auto operands =
      sectile::operands(input<"A(M,K)", bf16>(), input<"B(N,K)", bf16>(), output<"C(M,N)", bf16>());
  static constexpr sectile::configuration how{.tile = {{"M", 128}, {"K", 64}, {"N", 64}}, .stages = 3, .consumers = 2};
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
  static constexpr sectile::configuration how{.tile = small_tiles::how.tile, .stages = 4, .consumers = 2};
  static constexpr void body(auto& sm, auto A, auto B, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A) / 2)) {
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
  static constexpr sectile::configuration how{
      .tile = small_tiles::how.tile, .stages = 3, .consumers = 2, .persistent = true};
  static constexpr void body(auto& sm, auto A, auto B, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto b = sm.load(B, {n, 0});
    auto acc = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A))) acc += sm.load(A, {m, k}) * transpose(b);
    sm.store(C, {m, n}, acc);
  }
};

}  // namespace

TEST_CASE("a product without a loop") {
  if constexpr (exhaustively) check_matmul<without_a_loop>(200, 100, 50);
}

TEST_CASE("two tiles of each operand in every trip") { check_matmul<two_tiles_per_trip>(140, 70, 512); }

TEST_CASE("an operand that stays in shared memory for the whole loop") { check_matmul<resident_b>(700, 130, 64); }
