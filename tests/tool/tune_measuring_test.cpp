// Measuring a family with a clock that is made up: what is measured, what is saved when, and how it goes on.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <stdexcept>

#include "tests/tool/tune_kit.hpp"
#include "tool/input_error.hpp"
#include "tool/tune/quality.hpp"

namespace tune_measuring_test {
namespace {

using namespace tune_kit;

const std::string several = "1x4096x4096,64x64x64,4096x4096x4096,300x200x104,16x28672x8192";

bool measure(tuning_table& table, made_up_world& world, const std::string& list = several) {
  return measure_problems(family(), problems(list), h200(), table, world.world());
}

}  // namespace

TEST_CASE("every problem is measured, saved and counted once") {
  tuning_table table{.head = head()};
  made_up_world world;
  CHECK(measure(table, world));
  CHECK(world.measured == 5);
  CHECK(world.saved == 5);
  CHECK(world.done == 5);
  CHECK(world.file == to_json(table));
  CHECK(measure(table, world));
  CHECK(world.measured == 5);
}

TEST_CASE("an interrupted measurement goes on where it was, and ends with the same table") {
  tuning_table whole{.head = head()};
  made_up_world undisturbed;
  measure(whole, undisturbed);
  for (int after = 0; after <= 5; ++after) {
    CAPTURE(after);
    tuning_table table{.head = head()};
    made_up_world first;
    first.interrupted_after = after;
    CHECK(measure(table, first) == (after == 5));
    CHECK(first.saved == after);
    tuning_table resumed = after == 0 ? table : table_from_json("t.json", first.file);
    CHECK(problems_left(resumed, problems(several)).size() == static_cast<std::size_t>(5 - after));
    made_up_world second;
    CHECK(measure(resumed, second));
    CHECK(second.measured == 5 - after);
    CHECK(to_json(resumed) == to_json(whole));
  }
}

TEST_CASE("what fails while it is measured leaves what was saved") {
  tuning_table table{.head = head()};
  made_up_world made_up;
  tuning_world world = made_up.world();
  world.measure = [&](const problem_size& of, std::span<const int> members) {
    if (made_up.measured == 2) throw std::runtime_error("the GPU is gone");
    return made_up.world().measure(of, members);
  };
  CHECK_THROWS_WITH(measure_problems(family(), problems(several), h200(), table, world), "the GPU is gone");
  CHECK(table_from_json("t.json", made_up.file).problems.size() == 2);
  world.measure = [](const problem_size&, std::span<const int>) { return std::vector<double>{1}; };
  CHECK_THROWS_AS(measure_problems(family(), problems(several), h200(), table, world), std::logic_error);
}

TEST_CASE("an earlier table is taken over with no times of members that it does not name") {
  const tuning_table whole = made_up_table(several);
  tuning_table earlier = whole;
  constexpr std::size_t added = 30, moved = 7;
  ++earlier.head.family;
  earlier.head.date = "2026-01-02";
  earlier.head.members[added] = "another";
  std::swap(earlier.head.members[0], earlier.head.members[moved]);
  for (timed_problem& p : earlier.problems) std::swap(p.us[0], p.us[moved]);
  const tuning_table now = taken_over(family(), earlier);
  CHECK(now.head.family == whole.head.family);
  CHECK(now.head.members == whole.head.members);
  CHECK(now.head.date == earlier.head.date);
  REQUIRE(now.problems.size() == whole.problems.size());
  for (std::size_t n = 0; n < whole.problems.size(); ++n)
    for (std::size_t i = 0; i < whole.head.members.size(); ++i)
      CHECK(now.problems[n].us[i] == (i == added ? std::nullopt : whole.problems[n].us[i]));
}

TEST_CASE("of an earlier table's problems only members that it has no times of are measured, and put to its clock") {
  const tuning_table whole = made_up_table(several);
  tuning_table earlier = whole;  // on a day when everything took twice as long, without three of the members
  constexpr std::size_t added[] = {2, 30, 41};
  for (const std::size_t i : added) earlier.head.members[i] = "another";
  for (timed_problem& p : earlier.problems) {
    p.us[18] = std::nullopt;  // nor of this one, which it names
    for (std::optional<double>& us : p.us)
      if (us) *us *= 2;
    for (const std::size_t i : added) p.us[i] = 1;  // the fastest, had it stayed
  }
  tuning_table table{.head = head()};
  made_up_world made_up;
  tuning_world world = made_up.world();
  world.measure = [&](const problem_size& of, std::span<const int> members) {
    CHECK(members.size() <= std::size(added) + 2);
    return made_up.world().measure(of, members);
  };
  CHECK(measure_problems(family(), problems(several), h200(), table, world, &earlier));
  REQUIRE(table.problems.size() == whole.problems.size());
  for (std::size_t n = 0; n < whole.problems.size(); ++n)
    for (std::size_t i = 0; i < whole.head.members.size(); ++i) {
      const std::optional<double>&now = table.problems[n].us[i], &then = whole.problems[n].us[i];
      REQUIRE(now.has_value() == then.has_value());
      if (now) CHECK(*now == doctest::Approx(2 * *then));
    }
  // A problem that it lacks, or of which it times nobody that stays, is measured whole.
  earlier.problems.erase(earlier.problems.begin());
  for (std::optional<double>& us : earlier.problems[0].us) us.reset();
  tuning_table again{.head = head()};
  CHECK(measure_problems(family(), problems(several), h200(), again, made_up.world(), &earlier));
  for (const std::size_t n : {0, 1}) CHECK(again.problems[n].us == whole.problems[n].us);
}

TEST_CASE("members that are predicted to be far behind are not measured, and the best always is") {
  for (const problem_size& of : problems(several)) {
    const std::vector<int> members = members_to_measure(*family().facts, of, h200());
    const predictor predicted(operands(), of, h200());
    double least = 1e30;
    for (int i = 0; i < family().facts->count; ++i)
      least = std::min(least, predicted.microseconds(family().facts->members[i]));
    for (int i = 0; i < family().facts->count; ++i)
      CHECK((std::ranges::count(members, i) == 1) == (predicted.microseconds(family().facts->members[i]) <= 3 * least));
    CHECK(std::ranges::is_sorted(members));
  }
  CHECK(members_to_measure(*family().facts, sizes_of_text("1x4096x4096"), h200()).size() <
        static_cast<std::size_t>(family().facts->count));
}

TEST_CASE("picks are judged: by the model, by the table, and by the table of the other problems") {
  const tuning_table table =
      made_up_table("4096x4096x4096,4096x4096x4104,4096x4096x4112,4096x4104x4096,4104x4096x4096");
  const std::vector<judged_problem> judged = judge_picks(family(), table);
  REQUIRE(judged.size() == 5);
  double model = 1, others = 1;
  for (const judged_problem& p : judged) {
    CHECK(p.table.quality == 1);  // a measured problem gets its best member
    CHECK(p.table.member == p.best);
    CHECK(p.model.quality <= 1);
    model = std::min(model, p.model.quality);
    others = std::min(others, p.left_out.quality);
  }
  CHECK(model < 0.99);  // the clock is made up so that the model errs in the same way everywhere
  CHECK(others > model);
  const std::string text = quality_text(family(), table);
  CHECK(text.find("gemm_bf16 on an NVIDIA H200") == 0);
  CHECK(text.find("5 problems, " + std::to_string(family().facts->count) + " members") != std::string::npos);
  CHECK(text.find("1.0000  by the table\n") != std::string::npos);
  CHECK(text.find("times were not taken") != std::string::npos);
  CHECK(text.find("4104x4096x4096") != std::string::npos);
}

TEST_CASE("a GPU of which the cost model has no constants has no table of its own") {
  CHECK(&own_constants("t.json", "NVIDIA H200") == &h200());
  CHECK_THROWS_WITH_AS(own_constants("t.json", "NVIDIA A100-SXM4-80GB"),
                       "t.json: it was measured on an NVIDIA A100-SXM4-80GB, of which the cost model has no constants; "
                       "add some to dsl/launch/cost_model.cpp",
                       input_error);
}

TEST_CASE("bounds rule out no member that is the fastest: a pick without them is the same") {
  std::mt19937 random(7);
  const auto size = [&](int most) {
    return static_cast<int>(std::exp2(std::uniform_real_distribution<>(0, std::log2(most))(random)));
  };
  for (const shipped_family* of : shipped_families()) {
    family_facts without = *of->facts;
    CHECK(without.bounds->count == without.count);
    without.bounds = nullptr;
    for (int n = 0; n < 2000; ++n) {
      const problem_size sizes{{"M", size(1 << 15)}, {"N", size(1 << 16)}, {"K", size(1 << 15)}};
      const gpu_constants& gpu = constants_of(n % 2 ? "NVIDIA H100" : "NVIDIA H200");
      const member_choice with = choose(*of->facts, sizes, gpu);
      REQUIRE(with.member == choose(without, sizes, gpu).member);
    }
  }
}

}  // namespace tune_measuring_test
