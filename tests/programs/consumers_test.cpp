// Any number of consumers, and tiles that fill their registers.
#include "tests/programs/matmul.hpp"

namespace {

using namespace sectile;
using namespace sectile::test;

}  // namespace

TEST_CASE("one consumer") {
  if constexpr (exhaustively)
    check_matmul<matmul<64, 64, 64, configuration{.stages = 3, .consumers = 1}>>(100, 100, 300);
}

TEST_CASE("one consumer with 256 columns: a thread holds 128 accumulators") {
  check_matmul<matmul<64, 256, 64, configuration{.stages = 2, .consumers = 1}>>(70, 300, 136);
}

TEST_CASE("two consumers with three blocks of 64 rows each: 192 accumulators") {
  check_matmul<matmul<384, 128, 64, configuration{.stages = 2, .consumers = 2}>>(400, 140, 72);
}

TEST_CASE("three consumers") {
  if constexpr (exhaustively) {
    check_matmul<matmul<192, 96, 64, configuration{.stages = 2, .consumers = 3}>>(200, 100, 300);
  }
}

TEST_CASE("five consumers of a persistent kernel") {
  if constexpr (exhaustively)
    check_matmul<matmul<320, 64, 32, configuration{.stages = 2, .consumers = 5, .persistent = true}>>(700, 70, 72);
}

TEST_CASE("seven consumers fill a CTA of 1024 threads") {
  check_matmul<matmul<448, 32, 32, configuration{.stages = 2, .consumers = 7}>>(500, 40, 104);
}
