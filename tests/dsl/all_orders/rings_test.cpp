// Every order of every run: several rings.
#include <sectile/kernels/attention.hpp>

#include "tests/dsl/all_orders/checks.hpp"
#include "tests/dsl/all_orders/plans.hpp"
#include "tests/exhaustively.hpp"

namespace {

using namespace sectile::orders;

TEST_CASE("three rings") {
  if constexpr (sectile::test::exhaustively) check_all_orders<attention_like<false>>();
}
TEST_CASE("three rings, consumers that take turns") { check_all_orders<attention_like<true>>(); }
TEST_CASE("three rings, consumers that take full turns") { check_all_orders<attention_like<true, true>>(); }
TEST_CASE("attention as it is shipped: three consumers that take turns, two tiles") {
  if constexpr (sectile::test::exhaustively)
    check_all_orders<sectile::kernels::attention<64, sectile::kernels::attention_mask::none>>();
}
TEST_CASE("two loops") {
  if constexpr (sectile::test::exhaustively) check_all_orders<two_loops<2, false>>();
}
TEST_CASE("two loops, two tiles") {
  if constexpr (sectile::test::exhaustively) check_all_orders<two_loops<2, true>>();
}
TEST_CASE("a loop in a loop") {
  if constexpr (sectile::test::exhaustively) check_all_orders<nested_loops>();
}
TEST_CASE("products in both of two nested loops") { check_all_orders<nested_sums>(); }

}  // namespace
