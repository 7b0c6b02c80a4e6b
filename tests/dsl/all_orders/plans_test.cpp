// Every order of every run: one ring, one CTA. The proof follows one order and speaks for all; here all are visited.
#include "tests/dsl/all_orders/plans.hpp"
#include "tests/dsl/all_orders/checks.hpp"
#include "tests/exhaustively.hpp"

namespace {

using namespace sectile::orders;

TEST_CASE("one consumer, one stage: one trip, and a deadlock with more") { check_all_orders<gemm<1>>(); }
TEST_CASE("one consumer, two stages") {
  if constexpr (sectile::test::exhaustively) check_all_orders<gemm<2>>();
}
TEST_CASE("one consumer, four stages") {
  if constexpr (sectile::test::exhaustively) check_all_orders<gemm<4>>();
}
TEST_CASE("two consumers") {
  if constexpr (sectile::test::exhaustively) check_all_orders<gemm<2, 2>>();
}
TEST_CASE("three consumers, three stages") {
  if constexpr (sectile::test::exhaustively) check_all_orders<gemm<3, 3>>();
}
TEST_CASE("two tiles, the epilogue of one under the products of the next") {
  check_all_orders<persistent_gemm<3, 2>>();
}
TEST_CASE("four tiles that are drawn") { check_all_orders<drawn_gemm<2, 1>>(); }
TEST_CASE("four tiles that are drawn, more stages than trips") {
  if constexpr (sectile::test::exhaustively) check_all_orders<drawn_gemm<4, 1>>();
}
TEST_CASE("four tiles that are drawn for two consumers") {
  if constexpr (sectile::test::exhaustively) check_all_orders<drawn_gemm<2, 2>>();
}
TEST_CASE("a consumer that runs behind") { check_all_orders<staggered_gemm<3>>(); }
TEST_CASE("two consumers with tiles of their own, two tiles each") { check_all_orders<own_tiles_gemm<2>>(); }
TEST_CASE("three consumers with tiles of their own, three stages") {
  if constexpr (sectile::test::exhaustively) check_all_orders<own_tiles_gemm<3, 3>>();
}
TEST_CASE("panels in several batches") {
  if constexpr (sectile::test::exhaustively) check_all_orders<wide_epilogue>();
}
TEST_CASE("A through registers") {
  if constexpr (sectile::test::exhaustively) check_all_orders<left_in_registers<2>>();
}
TEST_CASE("a loop that only reads, one stage") {
  if constexpr (sectile::test::exhaustively) check_all_orders<only_read<1>>();
}
TEST_CASE("a loop that only reads, two stages") { check_all_orders<only_read<2>>(); }
TEST_CASE("a loop that only reads, three stages") {
  if constexpr (sectile::test::exhaustively) check_all_orders<only_read<3>>();
}
TEST_CASE("metadata in the stage") { check_all_orders<sparse_gemm<2, 1>>(); }

}  // namespace
