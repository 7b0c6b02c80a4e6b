// Every order of clusters: a stage is filled by several CTAs and released to all of them.
#include "tests/dsl/all_orders/checks.hpp"
#include "tests/dsl/all_orders/plans.hpp"
#include "tests/exhaustively.hpp"

namespace {

using namespace sectile::orders;

TEST_CASE("two CTAs that share B") { check_all_orders<cluster_gemm<2, 1, 2>>(); }
TEST_CASE("two CTAs that share A") {
  if constexpr (sectile::test::exhaustively) check_all_orders<cluster_gemm<1, 2, 2>>();
}
TEST_CASE("two CTAs whose tiles are drawn by one") {
  if constexpr (sectile::test::exhaustively) check_all_orders<drawn_gemm<2, 1, 2>>(0, 1);
}
TEST_CASE("two CTAs of two consumers") {
  if constexpr (sectile::test::exhaustively) check_all_orders<cluster_gemm<2, 1, 2, 2>>();
}
TEST_CASE("two CTAs of two consumers, two tiles") {
  if constexpr (sectile::test::exhaustively) check_all_orders<cluster_gemm<2, 1, 2, 2, true>>(1, 1);
}
TEST_CASE("two CTAs, three stages") {
  if constexpr (sectile::test::exhaustively) check_all_orders<cluster_gemm<2, 1, 3>>(3, 5);
}
TEST_CASE("two CTAs that share the right factor of a sparse product") { check_all_orders<sparse_gemm<2, 2>>(0, 1); }
TEST_CASE("four CTAs, one stage: one trip, and a deadlock with more") {
  if constexpr (sectile::test::exhaustively) check_all_orders<cluster_gemm<2, 2, 1>>(1);
}
TEST_CASE("four CTAs, two tiles of one trip: every stage is filled twice") {
  if constexpr (sectile::test::exhaustively) check_all_orders<cluster_gemm<2, 2, 1, 1, true>>(1, 1);
}

}  // namespace
