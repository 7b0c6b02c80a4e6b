// Mistakes in the logs of clusters.
#include "tests/dsl/all_orders/checks.hpp"
#include "tests/dsl/all_orders/plans.hpp"

namespace {

using namespace sectile::orders;

TEST_CASE("one mistake: two CTAs that share B") { check_mutants<cluster_gemm<2, 1, 2>>(1); }
TEST_CASE("one mistake: two CTAs that share B, more trips" * doctest::test_suite("exhaustive")) {
  check_mutants<cluster_gemm<2, 1, 2>>(3);
}
TEST_CASE("one mistake: two CTAs that share A") { check_mutants<cluster_gemm<1, 2, 2>>(1); }
TEST_CASE("one mistake: a sparse product in two CTAs" * doctest::test_suite("exhaustive")) {
  check_mutants<sparse_gemm<2, 2>>(1);
}
TEST_CASE("one mistake: two CTAs, two tiles" * doctest::test_suite("exhaustive")) {
  check_mutants<cluster_gemm<2, 1, 2, 1, true>>(1);
}

}  // namespace
