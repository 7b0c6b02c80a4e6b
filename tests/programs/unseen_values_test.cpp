// What shows only for scalars or tiles that the planner has not tried: a run-time value decides no path, but it selects
// coordinates. What is made of the work's place is known by its type, so none of these goes unnoticed.
#include <doctest/doctest.h>

#include <sectile/dsl.hpp>
#include <sectile/dsl/launch/model.hpp>
#include <string>
#include <type_traits>

#include "tests/programs/host_tensor.hpp"

namespace {

using namespace sectile;
using test::host_tensor;

constexpr int unseen = 4711;  // no value that a body is traced with
constexpr int side = 6;       // tiles along M and N

struct product {
  static constexpr auto operands =
      sectile::operands(input<"A(M,K)", bf16>(), input<"B(N,K)", bf16>(), output<"C(M,N)", bf16>(), scalar<"x", int>(),
                        scalar<"where", int>());
  static constexpr sectile::configuration how{.tile = {{"M", 64}, {"K", 64}, {"N", 64}}, .stages = 2, .consumers = 1};
};
/// CTAs of a cluster seem to share B, but one of them wants the next tile along K if x is the value, in one row of
/// tiles.
struct peers_disagree : product {
  static constexpr sectile::configuration how{
      .tile = product::how.tile, .stages = 2, .cluster = {2, 1}, .consumers = 1};
  static constexpr void body(auto& sm, auto A, auto B, auto C, auto x, auto where) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A)))
      acc += sm.load(A, {m, k}) * transpose(sm.load(B, {n, select(x == unseen && m == where, k + 1, k)}));
    sm.store(C, {m, n}, acc);
  }
};
/// CTAs side by side would share A, but one of them is done with it a trip early, in one column of tiles.
struct trips_disagree : product {
  static constexpr sectile::configuration how{
      .tile = product::how.tile, .stages = 2, .cluster = {1, 2}, .consumers = 1};
  static constexpr void body(auto& sm, auto A, auto B, auto C, auto x, auto where) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    for (auto k : sm.pipelined(select(x == unseen && n == where, 1, tiles<"K">(A))))
      acc += sm.load(A, {m, k}) * transpose(sm.load(B, {n, k}));
    sm.store(C, {m, n}, acc);
  }
};
/// The result goes to the neighbouring tile.
struct stored_elsewhere : product {
  static constexpr void body(auto& sm, auto A, auto B, auto C, auto x, auto where) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A))) acc += sm.load(A, {m, k}) * transpose(sm.load(B, {n, k}));
    sm.store(C, {m, select(x == unseen && m == where, n + 1, n)}, acc);
  }
};
/// Not a value of a run, but the one question whose answer no type can carry.
struct asks_the_compiler : product {
  static constexpr void body(auto& sm, auto A, auto B, auto C, auto, auto) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A))) acc += sm.load(A, {m, k}) * transpose(sm.load(B, {n, k}));
    if (!std::is_constant_evaluated()) acc += sm.load(A, {m, 0}) * transpose(sm.load(B, {n, 0}));
    sm.store(C, {m, n}, acc);
  }
};
static_assert(verified<peers_disagree> && verified<asks_the_compiler>);

/// What a run says, "" if nothing.
template <class K>
std::string report_for(int x, int where) {
  host_tensor<bf16> A({64 * side, 128}), B({64 * side, 128}), C({64 * side, 64 * side});
  A.fill(1);
  B.fill(2);
  try {
    run_on_model_with<K>({.workers = 1}, A.in(), B.in(), C.view(), x, where);
  } catch (const std::exception& why) {
    return why.what();
  }
  return "";
}

TEST_CASE("what CTAs of a cluster share is known by types, whatever the values are") {
  CHECK(plan_of<peers_disagree>.operand[1].slices == 1);
  CHECK(report_for<peers_disagree>(0, 3).empty());
  CHECK(report_for<peers_disagree>(unseen, 3).find("wrong_tile") == std::string::npos);
  CHECK(plan_of<trips_disagree>.refusal.what == rule::multicast_peers_disagree);
}
TEST_CASE("a tile is stored that is not the work's") {
  CHECK(plan_of<stored_elsewhere>.refusal.what == rule::store_is_not_one_whole_tile);
}
TEST_CASE("a body does something else where it is not constant evaluation") {
  const std::string launched = report_for<asks_the_compiler>(0, 3);
  CAPTURE(launched);
  CHECK(launched.find("the body does something else when it runs than it did when it was planned") == 0);
}

}  // namespace
