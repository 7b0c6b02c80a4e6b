// Every order of every run where the parts of tiles meet in a workspace, and mistakes in the logs of such programs.
#include "tests/dsl/all_orders/workspace.hpp"

#include "tests/dsl/all_orders/checks.hpp"
#include "tests/dsl/all_orders/plans.hpp"
#include "tests/exhaustively.hpp"

namespace {

using namespace sectile::orders;

TEST_CASE("parts of every tile") {
  if constexpr (sectile::test::exhaustively) check_all_orders<parted_gemm<2>>();
}
TEST_CASE("parts of every tile, two consumers") {
  if constexpr (sectile::test::exhaustively) check_all_orders<parted_gemm<2, 2>>();
}
TEST_CASE("two sums of a tile") { check_all_orders<two_parted_sums<false>>(); }
TEST_CASE("two states of a tile, which the body merges") { check_all_orders<two_merged_states>(); }
TEST_CASE("two states of a tile, of which groups of parts have one first") { check_all_orders<states_of_groups>(); }
TEST_CASE("a whole tile, and parts of two") { check_all_orders<streamed_gemm<2>>(); }
TEST_CASE("a whole tile, and parts of two, of two consumers") {
  if constexpr (sectile::test::exhaustively) check_all_orders<streamed_gemm<2, 2>>(0, 2);
}
TEST_CASE("parts of two tiles, of two CTAs") {
  if constexpr (sectile::test::exhaustively) check_all_orders<streamed_gemm<2, 1, 2>>(1, 1);
}
TEST_CASE("two sums of each tile that is cut") {
  if constexpr (sectile::test::exhaustively) check_all_orders<two_parted_sums<true>>();
}

TEST_CASE("one mistake: parts of every tile") {
  if constexpr (sectile::test::exhaustively) check_mutants<parted_gemm<2>>(3);
}
TEST_CASE("one mistake: two sums of a tile") { check_mutants<two_parted_sums<false>>(2); }
TEST_CASE("one mistake: groups of parts") { check_mutants<states_of_groups>(2); }
TEST_CASE("one mistake: a whole tile, and parts of two") { check_mutants<streamed_gemm<2>>(1); }

}  // namespace
