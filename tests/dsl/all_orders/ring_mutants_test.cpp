// Mistakes in the logs of programs with several rings.
#include "tests/dsl/all_orders/checks.hpp"
#include "tests/dsl/all_orders/plans.hpp"
#include "tests/exhaustively.hpp"

namespace {

using namespace sectile::orders;

TEST_CASE("one mistake: three rings") {
  if constexpr (sectile::test::exhaustively) check_mutants<attention_like<false>>(3);
}
TEST_CASE("one mistake: three rings, consumers that take turns") { check_mutants<attention_like<true>>(2); }
TEST_CASE("one mistake: three rings, consumers that take full turns") { check_mutants<attention_like<true, true>>(2); }
TEST_CASE("one mistake: three rings, consumers that take turns, more trips") {
  if constexpr (sectile::test::exhaustively) check_mutants<attention_like<true>>(3);
}
TEST_CASE("one mistake: two loops") {
  if constexpr (sectile::test::exhaustively) check_mutants<two_loops<2, false>>(8);
}
TEST_CASE("one mistake: two loops, two tiles") {
  if constexpr (sectile::test::exhaustively) check_mutants<two_loops<2, true>>(8);
}
TEST_CASE("one mistake: a loop in a loop") { check_mutants<nested_loops>(8); }
TEST_CASE("one mistake: products in both of two nested loops") {
  if constexpr (sectile::test::exhaustively) check_mutants<nested_sums>(8);
}

}  // namespace
