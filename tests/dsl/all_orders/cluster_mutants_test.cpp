// Mistakes in the logs of clusters.
#include "tests/dsl/all_orders/checks.hpp"
#include "tests/dsl/all_orders/plans.hpp"
#include "tests/exhaustively.hpp"

namespace {

using namespace sectile::orders;

TEST_CASE("one mistake: two CTAs that share B") { check_mutants<cluster_gemm<2, 1, 2>>(1); }
TEST_CASE("one mistake: two CTAs that share B, more trips") {
  if constexpr (sectile::test::exhaustively) check_mutants<cluster_gemm<2, 1, 2>>(3);
}
TEST_CASE("one mistake: two CTAs that share A") {
  if constexpr (sectile::test::exhaustively) check_mutants<cluster_gemm<1, 2, 2>>(1);
}
TEST_CASE("one mistake: a sparse product in two CTAs") {
  if constexpr (sectile::test::exhaustively) check_mutants<sparse_gemm<2, 2>>(1);
}
TEST_CASE("one mistake: two CTAs, two tiles") {
  if constexpr (sectile::test::exhaustively) check_mutants<cluster_gemm<2, 1, 2, 1, true>>(1);
}

}  // namespace
