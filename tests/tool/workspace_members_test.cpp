// A family with a member that needs a workspace: the tool explains and judges picks of launches that are given one.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <sectile/kernels/gemm.hpp>

#include "tool/tune/quality.hpp"

namespace workspace_members {

using namespace sectile;
using namespace sectile::tool;

/// The same tiles, each made whole, or cut where the last wave is short.
struct cut_or_whole : kernels::gemm_bf16 {
  static constexpr auto how = configurations(kernels::gemm_bf16::how, kernels::gemm_bf16::how.with_streamed_tiles());
  static constexpr auto sums = any_order;
};
const shipped_family& family() {
  static constexpr shipped_family told = list_family<cut_or_whole>("gemm_bf16", "here.hpp", "cut_or_whole");
  return told;
}
problem_size product(int m, int n, int k) { return {{"M", m}, {"N", n}, {"K", k}}; }

TEST_CASE("of a member that needs a workspace it is told how many bytes") {
  const problem_size sizes = product(5000, 5000, 5000);
  const predictor predicted(*family().facts->operands, sizes, constants_of("NVIDIA H200"));
  const double bytes = predicted.workspace_bytes(family().facts->members[1]);
  REQUIRE(bytes > 0);
  const std::string text = choice_text(family(), "5000x5000x5000");
  CHECK(text.find("a launch takes member 1 ") != std::string::npos);
  CHECK(text.find(fmt::format("says. It needs a workspace of {:.0f} bytes.\n\n", bytes)) != std::string::npos);
  const std::string whole = choice_text(family(), "8448x5120x5000");
  CHECK(whole.find("a launch takes member 0 ") != std::string::npos);
  CHECK(whole.find("workspace") == std::string::npos);
}
TEST_CASE("such a member is judged as a pick like any other") {
  tuning_table table{.head = table_head_of(family(), "NVIDIA H200", "CUDA 13.0")};
  table.problems.push_back({product(5000, 5000, 5000), {400.0, 360.0}});
  table.problems.push_back({product(8448, 5120, 5000), {600.0, 660.0}});
  for (const judged_problem& p : judge_picks(family(), table)) {
    CHECK(p.model.member == p.best);
    CHECK(p.table.member == p.best);
  }
}

}  // namespace workspace_members
