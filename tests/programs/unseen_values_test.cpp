// Programs that pass every proof, because what is wrong with them shows only for scalars or tiles that the planner has not
// tried. The model notices when it comes to such a value.
#include <doctest/doctest.h>

#include <sectile/dsl.hpp>
#include <sectile/dsl/launch/model.hpp>
#include <string>

#include "tests/programs/host_tensor.hpp"

namespace {

using namespace sectile;
using test::host_tensor;

constexpr int unseen = 4711;  // no value that a body is traced with

/// CTAs of a cluster share B, but one of them wants the next tile along K if x is the value.
struct peers_disagree {
  static constexpr auto operands = sectile::operands(
      input<"A(M,K)", bf16>(row_major, tile(64, 64)), input<"B(N,K)", bf16>(row_major, tile(64, 64)),
      output<"C(M,N)", bf16>(row_major, tile(64, 64)), scalar<"x", int>());
  static constexpr sectile::schedule schedule{.stages = 2, .cluster = {2, 1}, .consumers = 1};
  static constexpr void body(auto& sm, auto A, auto B, auto C, int x) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    for (auto k : sm.pipelined(A.tiles(1)))
      acc += sm.load(A, {m, k}) * transpose(sm.load(B, {n, x == unseen && m % 2 == 1 ? k + 1 : k}));
    sm.store(C, {m, n}, acc);
  }
};
/// The result goes to the neighbouring tile if x is the value.
struct stored_elsewhere {
  static constexpr auto operands = peers_disagree::operands;
  static constexpr sectile::schedule schedule{.stages = 2, .consumers = 1};
  static constexpr void body(auto& sm, auto A, auto B, auto C, int x) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    for (auto k : sm.pipelined(A.tiles(1))) acc += sm.load(A, {m, k}) * transpose(sm.load(B, {n, k}));
    sm.store(C, {m, x == unseen ? n + 1 : n}, acc);
  }
};
static_assert(verified<peers_disagree> && verified<stored_elsewhere>);

/// What the model reports for this x, "" if nothing.
template <class K>
std::string report_for(int x) {
  host_tensor<bf16> A({128, 128}), B({128, 128}), C({128, 128});
  A.fill(1);
  B.fill(2);
  try {
    run_on_model_with<K>({.workers = 1}, A.in(), B.in(), C.view(), x);
  } catch (const model::hazard& h) {
    CHECK(h.kind == model::hazard_kind::wrong_tile);
    return h.what();
  }
  return "";
}

TEST_CASE("CTAs that share an operand ask for different tiles") {
  CHECK(report_for<peers_disagree>(0) == "");
  const std::string said = report_for<peers_disagree>(unseen);
  CAPTURE(said);
  CHECK(said.find("tile (0, 1) of B for the CTAs that share it") != std::string::npos);
  CHECK(said.find("brought a part of tile (0, 0)") != std::string::npos);
}
TEST_CASE("a tile is stored that is not the work's") {
  CHECK(report_for<stored_elsewhere>(0) == "");
  const std::string said = report_for<stored_elsewhere>(unseen);
  CAPTURE(said);
  CHECK(said.find("stores another tile of C than the one that its work is about") != std::string::npos);
}

}  // namespace
