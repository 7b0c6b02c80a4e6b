// Programs that pass every proof, because what is wrong with them shows only for scalars or tiles that the planner has
// not tried: a run-time value decides no path, but it selects coordinates. A launch tries the first and the last tile
// with its own arguments; what is between them the model notices when it comes there.
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
/// CTAs of a cluster share B, but one of them wants the next tile along K if x is the value, in one row of tiles.
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
/// CTAs side by side share A, but one of them is done with it a trip early, in one column of tiles.
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
static_assert(verified<peers_disagree> && verified<trips_disagree> && verified<stored_elsewhere> &&
              verified<asks_the_compiler>);

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

/// Right for a value that the planner has seen, and refused by the launch or found by the model for one that it has
/// not.
template <class K>
void check_found(const std::string& at_launch, const std::string& on_model) {
  CHECK(report_for<K>(0, 3) == "");
  const std::string launched = report_for<K>(unseen, side - 1), run = report_for<K>(unseen, 3);
  CAPTURE(launched);
  CAPTURE(run);
  CHECK(launched.find(at_launch) != std::string::npos);
  CHECK(run.find(on_model) != std::string::npos);
}

TEST_CASE("CTAs that share an operand ask for different tiles") {
  check_found<peers_disagree>("operand B: with these sizes and scalars, CTAs of a cluster that share its loads ask for",
                              "tile (0, 1) of B for the CTAs that share it");
}
TEST_CASE("CTAs that share an operand turn their loop differently often") {
  CHECK(report_for<trips_disagree>(0, 0).empty());
  for (const int where : {0, 1, side - 2, side - 1})
    CHECK(report_for<trips_disagree>(unseen, where).find("or turn a loop differently often") != std::string::npos);
}
TEST_CASE("a tile is stored that is not the work's") {
  check_found<stored_elsewhere>("with these sizes and scalars operand C is stored at tile",
                                "stores another tile of C than the one that its work is about");
}
TEST_CASE("a body does something else where it is not constant evaluation") {
  const std::string launched = report_for<asks_the_compiler>(0, 3);
  CAPTURE(launched);
  CHECK(launched.find("the body does something else when it runs than it did when it was planned") == 0);
}

}  // namespace
