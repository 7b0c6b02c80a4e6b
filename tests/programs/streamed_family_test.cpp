// A family with members that cut the tiles of a last wave: a launch takes one where that saves time and there is room.
#include <random>
#include <sectile/dsl/launch/family.hpp>
#include <sectile/dsl/launch/member_bounds.hpp>

#include "tests/programs/kit.hpp"
#include "tests/programs/types.hpp"

namespace {

using namespace sectile;
using namespace sectile::test;

/// The same tiles, each made whole, or cut where the last wave is short.
struct family : kernels::gemm_bf16 {
  static constexpr auto how =
      configurations(kernels::gemm_bf16::how, kernels::gemm_bf16::how.with_streamed_tiles());
  static constexpr auto sums = any_order;
};
static_assert(verified<family>);

constexpr std::uint64_t any_bytes = std::uint64_t{1} << 40;
int chosen(int m, int n, int k, std::uint64_t bytes = any_bytes) {
  const problem_size sizes{{"M", m}, {"N", n}, {"K", k}};
  return choose(family_facts_of<family>, sizes, constants_of("NVIDIA H200"), bytes).member;
}

TEST_CASE("tiles are cut where the last wave is short and the sums are long") {
  CHECK(chosen(5000, 5000, 5000) == 1);  // 800 tiles for 132 SMs
  CHECK(chosen(300, 1000, 16384) == 1);  // 16
  CHECK(chosen(8448, 5120, 5000) == 0);  // ten waves
  CHECK(chosen(5000, 5000, 512) == 0);   // eight trips
}
TEST_CASE("a launch without a workspace takes the member that needs none") {
  CHECK(chosen(5000, 5000, 5000, 0) == 0);
  const auto needed = static_cast<std::uint64_t>(workspace_bytes(plan_of<member<family, 1>>, 800));
  CHECK(chosen(5000, 5000, 5000, needed - 1) == 0);
  CHECK(chosen(5000, 5000, 5000, needed) == 1);
}
TEST_CASE("cutting tiles is predicted to save what it saves, and no more than the wave") {
  const predictor predicted(operands_of_program<family>, {{"M", 5000}, {"N", 5000}, {"K", 5000}},
                            constants_of("NVIDIA H200"));
  const timed_kernel* const members = family_facts_of<family>.members;
  const double whole = predicted.microseconds(members[0]), cut = predicted.microseconds(members[1]);
  CHECK(cut < 0.95 * whole);
  CHECK(cut > 6.0 / 7 * whole);
}
TEST_CASE("what bounds a member from below is below what is predicted of it") {
  std::mt19937 random(7);
  const auto size = [&](int most) { return 8 * (1 + static_cast<int>(random() % static_cast<unsigned>(most / 8))); };
  for (int i = 0; i < 2000; ++i) {
    const problem_size sizes{{"M", size(6000)}, {"N", size(9000)}, {"K", size(12000)}};
    const predictor predicted(operands_of_program<family>, sizes, constants_of("NVIDIA H200"));
    float bound[member_bounds::most]{};
    REQUIRE(family_facts_of<family>.bounds->count == 2);
    predicted.bounds(*family_facts_of<family>.bounds, bound);
    for (int m = 0; m < 2; ++m) {
      CAPTURE(m);
      REQUIRE(static_cast<double>(bound[m]) < predicted.fourth_power(family_facts_of<family>.members[m]));
    }
  }
}
TEST_CASE("the member that is taken makes the product") {
  constexpr int m = 300, n = 264, k = 64 * 64;  // two clusters' tiles beside each other, and one beneath
  typed_matrix<bf16> A(m, k), B(n, k);
  typed_matrix<bf16> C(m, n), whole(m, n);
  A.fill(contents::whole_numbers, 1), B.fill(contents::whole_numbers, 2);
  REQUIRE(chosen(m, n, k) == 1);
  host_workspace memory(workspace_bytes<family>(A.in(), B.in(), C.out()));
  REQUIRE(memory.view().bytes > 0);
  run_on_model<family>(A.in(), B.in(), C.out(), memory.view());
  run_on_model<kernels::gemm_bf16>(A.in(), B.in(), whole.out());
  for (int i = 0; i < m; ++i)
    for (int j = 0; j < n; ++j) REQUIRE(C(i, j) == whole(i, j));
}

}  // namespace
