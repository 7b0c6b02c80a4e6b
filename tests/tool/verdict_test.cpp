// What is said of results: by all elements together, and one by one.
#include "tool/verdict.hpp"

#include <doctest/doctest.h>

#include <cmath>

namespace {

using namespace sectile::tool;

const answer of_column = judged_one_by_one({10, 20, 30}, {0.5, 0, 1});
const answer a_number = judged_one_by_one({2}, {0.25});

}  // namespace

TEST_CASE("elements that are judged one by one are right where rounding explains each") {
  const verdict right = judge({10.25, 20, 30.25}, of_column, {3});
  CHECK(right.right);
  CHECK(right.words == "element (0) is off by 0.25 (at most 0.5 is rounding), no other by a larger part");
  CHECK(right.relative_l2 == doctest::Approx(std::sqrt(0.125 / 1400)));
  CHECK(right.bar == doctest::Approx(std::sqrt(1.25 / 1400)));
  CHECK(judge({10, 20, 30}, of_column, {3}).right);
  const verdict wrong = judge({10, 20, 31.5}, of_column, {3});
  CHECK(!wrong.right);
  CHECK(wrong.words == "element (2) is 31.5, not 30 (off by at most 1 is rounding)");
  CHECK(!judge({10, 20.0001, 30}, of_column, {3}).right);  // nothing explains that
  CHECK(judge({10.25, 20, 30.25}, of_column, {1, 3}).words ==
        "relative L2 9.45e-03, no element is off by more than is rounding there");
  CHECK(judge({10, 20, 31.5}, of_column, {1, 3}).words ==
        "element (0, 2) is 31.5, not 30 (off by at most 1 is rounding)");
  CHECK(judge({2.25}, a_number, {}).words == "it is off by 0.25 (at most 0.25 is rounding)");
  CHECK(judge({3}, a_number, {}).words == "it is 3, not 2 (off by at most 0.25 is rounding)");
}

TEST_CASE("numbers that are only moved are exact") {
  CHECK(judge({10}, answer{{10}}, {}).words == "none, it is exact");
  const answer moved{{10, 0.5, -3}};
  CHECK(judge({10, 0.5, -3}, moved, {3}).words == "none, all 3 elements are exact");
  CHECK(judge({10, 0.5, -3.0001}, moved, {3}).words == "element (2) is -3.0001, not -3");
  CHECK_FALSE(judge({10, 0.5, -3.0001}, moved, {3}).right);
}

TEST_CASE("what is not finite is wrong, however much rounding explains") {
  CHECK(judge({10, std::nan(""), 30}, of_column, {3}).words == "element (1) is nan");
  const verdict number = judge({INFINITY}, a_number, {});
  CHECK(!number.right);
  CHECK(number.words == "it is inf");
}

TEST_CASE("results are right together where each is") {
  const kernel_facts& kernel = find_kernel("linear_amax_e4m3");
  const verdict c{.right = true, .relative_l2 = 0.25, .bar = 0.5, .words = "near"};
  const verdict amax{.right = false, .words = "it is 3, not 2"};
  const verdict all = whole_verdict(kernel, {c, amax});
  CHECK(!all.right);
  CHECK(all.words == "C: near; amax: it is 3, not 2");
  CHECK(all.relative_l2 == 0.25);
  CHECK(all.bar == 0.5);
  CHECK(whole_verdict(kernel, {c, c}).right);
  CHECK(whole_verdict(find_kernel("gram_bf16"), {c}).words == "near");
}
