// Tiles of every shape that wgmma and TMA take: narrow and wide, shallow and deep, one to seven consumers.
#include "tests/programs/matmul.hpp"

namespace {

using namespace sectile;
using namespace sectile::test;

constexpr configuration two_stages(int consumers) { return {.stages = 2, .consumers = consumers}; }

}  // namespace

TEST_CASE("the smallest tile: one instruction of eight columns") {
  check_matmul<matmul<64, 8, 16, two_stages(1)>>(130, 70, 100);
}

TEST_CASE("a tile whose columns are no multiple of a core matrix pair: stmatrix of two 8 x 8 blocks") {
  if constexpr (exhaustively) check_matmul<matmul<64, 24, 64, two_stages(1)>>(130, 70, 100);
}

TEST_CASE("a K of 48 allows a 32-byte swizzle only") { check_matmul<matmul<128, 24, 48, two_stages(2)>>(130, 70, 100); }

TEST_CASE("a K of 32 allows a 64-byte swizzle only") {
  if constexpr (exhaustively) check_matmul<matmul<128, 40, 32, two_stages(2)>>(130, 90, 100);
}

TEST_CASE("a K of 128 takes two panels for each operand") {
  if constexpr (exhaustively) check_matmul<matmul<128, 128, 128, two_stages(2)>>(140, 140, 264);
}

TEST_CASE("an N of 248 leaves panels of one core matrix") {
  check_matmul<matmul<64, 248, 32, two_stages(1)>>(70, 300, 72);
}

TEST_CASE("each consumer holds two blocks of 64 rows") {
  if constexpr (exhaustively) check_matmul<matmul<256, 128, 64, two_stages(2)>>(300, 140, 136);
}
