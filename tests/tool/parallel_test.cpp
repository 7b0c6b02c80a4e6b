// Work over the cores: every index once, and a failure that reaches the caller.
#include "tool/parallel.hpp"

#include <doctest/doctest.h>

#include <atomic>
#include <stdexcept>
#include <vector>

using sectile::tool::parallel_for;

TEST_CASE("every index is worked on exactly once") {
  for (std::int64_t count : {0, 1, 2, 1000}) {
    std::vector<std::atomic<int>> calls(1000);
    parallel_for(count, [&](std::int64_t i) { ++calls[static_cast<std::size_t>(i)]; });
    std::int64_t once = 0;
    for (const std::atomic<int>& n : calls) once += n == 1 ? 1 : 0;
    std::int64_t all = 0;
    for (const std::atomic<int>& n : calls) all += n;
    CHECK(once == count);
    CHECK(all == count);
  }
}

TEST_CASE("the first failure is thrown to the caller and ends the work") {
  std::atomic<int> calls{0};
  const auto fail_at_ten = [&](std::int64_t i) {
    ++calls;
    if (i == 10) throw std::runtime_error("ten");
  };
  CHECK_THROWS_WITH_AS(parallel_for(1'000'000'000, fail_at_ten), "ten", std::runtime_error);
  CHECK(calls < 1'000'000'000);
}
