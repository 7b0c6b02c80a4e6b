// The same product under every kind of schedule gives the same numbers.
#include "tests/programs/matmul.hpp"

namespace {

using namespace sectile;
using namespace sectile::test;

template <configuration How>
using scheduled = matmul<128, 128, 64, How>;

}  // namespace

TEST_CASE("two stages") {
  if constexpr (exhaustively) {
    check_matmul<scheduled<configuration{.stages = 2}>>(200, 200, 300);
  }
}

TEST_CASE("sixteen stages, more than there are trips") {
  check_matmul<matmul<64, 64, 32, configuration{.stages = 16, .consumers = 1}>>(100, 100, 300);
}

TEST_CASE("a persistent kernel carries its ring from tile to tile") {
  if constexpr (exhaustively) check_matmul<scheduled<configuration{.stages = 2, .persistent = true}>>(300, 260, 136);
}

TEST_CASE("a persistent kernel with an f32 output") {
  if constexpr (exhaustively) {
    check_matmul<matmul<128, 128, 64, configuration{.stages = 3, .persistent = true}, float>, float>(300, 205, 100);
  }
}

TEST_CASE("a stagger keeps the consumers a product apart") {
  if constexpr (exhaustively)
    check_matmul<scheduled<configuration{.stages = 3, .persistent = true, .stagger = 1}>>(300, 200, 300);
}

TEST_CASE("a stagger as long as the ring, on problems with fewer products than that") {
  using program = scheduled<configuration{.stages = 3, .persistent = true, .stagger = 3}>;
  check_matmul<program>(100, 100, 30);
  check_matmul<program>(300, 140, 100);
}

TEST_CASE("three staggered consumers") {
  check_matmul<matmul<192, 64, 64, configuration{.stages = 2, .consumers = 3, .persistent = true, .stagger = 1}>>(
      400, 100, 200);
}

TEST_CASE("bands of three tile rows, visited from the last") {
  check_matmul<scheduled<configuration{.stages = 3, .group = 3, .rows = traversal::reversed}>>(900, 130, 40);
}
