// A load that stands under a count of the body's own, in a trip that the planner has not tried: the model says that the
// body took another path, before the copy meets what it would land on. And no such thing of loads that only change
// places.
#include <doctest/doctest.h>

#include <sectile/dsl.hpp>
#include <sectile/dsl/launch/model.hpp>
#include <string>

#include "tests/exhaustively.hpp"
#include "tests/programs/host_tensor.hpp"

namespace {

using namespace sectile;
using test::exhaustively;
using test::host_tensor;

enum class place { beginning, middle, end, nowhere };

/// C = A B^T. In trip 15 one more tile is loaded.
template <place Where>
struct products {
  static constexpr auto operands =
      sectile::operands(input<"A(M,K)", bf16>(), input<"B(N,K)", bf16>(), output<"C(M,N)", float>());
  static constexpr sectile::configuration how{.tile = {{"M", 64}, {"K", 64}, {"N", 64}}, .stages = 3, .consumers = 1};
  static constexpr void body(auto& sm, auto A, auto B, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    int trips = 0;
    for (auto k : sm.pipelined(tiles<"K">(A))) {
      const bool late = trips++ == 15;
      if (late && Where == place::beginning) sm.load(B, {n, 0});
      auto a = sm.load(A, {m, k});
      if (late && Where == place::middle) a = sm.load(A, {m, 0});
      acc += a * transpose(sm.load(B, {n, k}));
      if (late && Where == place::end) sm.load(A, {m, 0});
    }
    sm.store(C, {m, n}, acc);
  }
};

/// Tiles that are read into registers, where no product stands between loads; CTAs share them.
template <bool Late>
struct reads {
  static constexpr auto operands =
      sectile::operands(input<"A(M,K)", bf16>(), input<"S(M,N)", bf16>(), output<"C(M,N)", float>());
  static constexpr sectile::configuration how{
      .tile = {{"M", 64}, {"K", 64}, {"N", 64}}, .stages = 3, .cluster = {1, 2}, .consumers = 1};
  static constexpr void body(auto& sm, auto A, auto S, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto most = row_sum(sm.accumulator(C)).total();
    int trips = 0;
    for (auto k : sm.pipelined(tiles<"K">(A))) {
      auto t = sm.load(A, {m, k});
      if (trips++ == 15 && Late) t = sm.load(A, {m, 0});
      most = max(most, row_max(cast<float>(in_registers(t))));
    }
    sm.store(C, {m, n}, cast<float>(in_registers(sm.load(S, {m, n}))) + most);
  }
};

/// Both factors are tiles of A, loaded in the order in which a compiler evaluates them.
struct one_expression {
  static constexpr auto operands = sectile::operands(input<"A(M,K)", bf16>(), output<"C(M,M')", float>());
  static constexpr sectile::configuration how{.tile = {{"M", 64}, {"K", 64}}, .stages = 4, .consumers = 1};
  static constexpr void body(auto& sm, auto A, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A))) acc += sm.load(A, {m, k}) * transpose(sm.load(A, {n, k}));
    sm.store(C, {m, n}, acc);
  }
};

/// What the model reports, "" if nothing.
template <class K>
std::string report(int columns_of_b) {
  host_tensor<bf16> A({128, 64 * 20}), B({128, columns_of_b});
  host_tensor<float> C({128, 128});
  A.fill(1);
  B.fill(2);
  try {
    run_on_model_with<K>({.workers = 1}, A.in(), B.in(), C.view());
  } catch (const model::hazard& h) {
    CHECK(h.kind == model::hazard_kind::other_path);
    return h.what();
  }
  return "";
}
constexpr const char* told = "k = 15) comes to an operation that was not planned there: the body took another path";

TEST_CASE("one more load among those of a product, behind it and before it") {
  if constexpr (exhaustively) CHECK(report<products<place::nowhere>>(64 * 20) == "");
  CHECK(report<products<place::beginning>>(64 * 20).find(told) != std::string::npos);
  if constexpr (exhaustively) CHECK(report<products<place::middle>>(64 * 20).find(told) != std::string::npos);
  CHECK(report<products<place::end>>(64 * 20).find(told) != std::string::npos);
}
TEST_CASE("one more load where tiles are only read, in a cluster") {
  if constexpr (exhaustively) CHECK(report<reads<false>>(128) == "");
  CHECK(report<reads<true>>(128).find(told) != std::string::npos);
}
TEST_CASE("two loads of one operand in an expression are no other path") {
  host_tensor<bf16> A({128, 200});
  host_tensor<float> C({128, 128});
  A.fill(1);
  CHECK_NOTHROW(run_on_model_with<one_expression>({.workers = 1}, A.in(), C.view()));
}

}  // namespace
