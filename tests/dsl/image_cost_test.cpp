// What a convolution is predicted to cost: a trip for each place of the filter and each tile of channels, and the bytes
// of an image that is read once.
#include <doctest/doctest.h>

#include <sectile/dsl/launch/cost_model.hpp>
#include <sectile/dsl/launch/family.hpp>
#include <string>

#include "tests/programs/convolutions.hpp"

namespace {

using namespace sectile;
using namespace sectile::test::convolutions;

struct ways : kernels::convolution<bf16, bf16> {
  static constexpr auto how = configurations(small, pair, side_by_side, tall);
};
constexpr kernel_cost cost = cost_of<member<ways, 0>>;
static_assert(cost.phases == 2 && cost.phase[1].along == mode_named("C") && cost.phase[1].over == mode_named("T"));
static_assert(cost.phase[1].step.elements == 64 && cost.phase[1].fetched_bytes == (64 + 64) * 64 * 2);
static_assert(cost.phase[0].over == mode_id::any);

/// For filters of 1 x 1 alone.
struct of_one_place : with<small> {
  static constexpr void body(auto& sm, auto X, auto W, auto Y) {
    auto [m, k] = sm.tile_of(Y);
    auto acc = sm.accumulator(Y);
    for (auto c : sm.pipelined(tiles<"C">(X))) acc += sm.load(X, {0, m, c}) * transpose(sm.load(W, {0, k, c}));
    sm.store(Y, {m, k}, acc);
  }
};
static_assert(cost_of<of_one_place>.phase[1].along == mode_named("C"));
static_assert(cost_of<of_one_place>.phase[1].over == mode_id::any);

const gpu_constants& gpu = constants_of("NVIDIA H200");
problem_size sizes(int places, int pixels, int channels) {
  return {{"T", places}, {"M", pixels}, {"C", channels}, {"K", 512}};
}
predictor predicted(const problem_size& of) { return {operands_of_program<ways>, of, gpu}; }
const timed_kernel& timed(int i) { return family_facts_of<ways>.members[i]; }

}  // namespace

TEST_CASE("places of a filter and channels are trips alike") {
  for (int i = 0; i < 4; ++i) {
    const auto computing = [&](int places, int channels) {
      return predicted(sizes(places, 50000, channels)).explained(timed(i)).computing;
    };
    CHECK(computing(9, 512) == doctest::Approx(computing(1, 9 * 512)));
    CHECK(computing(9, 512) > 5 * computing(1, 512));
  }
}
TEST_CASE("nine places read the image once, and nine filters") {
  const auto bytes = [](int places) { return bytes_of(operands_of_program<ways>, sizes(places, 1000, 64)); };
  CHECK(bytes(1) == 2.0 * (1000 * 64 + 512 * 64 + 1000 * 512));
  CHECK(bytes(9) == 2.0 * (1000 * 64 + 9 * 512 * 64 + 1000 * 512));
}
TEST_CASE("a member's bound counts places too, and is near what is predicted") {
  REQUIRE(family_facts_of<ways>.bounds->count == 4);
  for (const problem_size& of : {sizes(9, 50000, 512), sizes(1, 200, 64), sizes(49, 3000, 8)}) {
    float bound[member_bounds::most]{};
    predicted(of).bounds(*family_facts_of<ways>.bounds, bound);
    for (int i = 0; i < 4; ++i) {
      const double exact = predicted(of).fourth_power(timed(i));
      CHECK(bound[i] <= exact);
      CHECK(bound[i] > exact / 16);  // half of the time
    }
  }
}
TEST_CASE("a loop over channels alone has no bound in common with one over places") {
  timed_kernel two[] = {timed(0), timed(1)};
  CHECK(member_bounds{two, 2}.count == 2);
  for (timed_kernel::phase& p : two[1].at) p.over = no_size;
  CHECK(member_bounds{two, 2}.count == 0);
}
