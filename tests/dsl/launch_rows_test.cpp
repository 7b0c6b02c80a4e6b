// What a launch refuses of rows that an index names, at both sides of each limit. Nothing is read or written: the
// memory is none.
#include <doctest/doctest.h>

#include <sectile/dsl/launch/scattered_rows.hpp>
#include <sectile/dsl/launch/workspace_bytes.hpp>
#include <string>

#include "tests/programs/scatters.hpp"

namespace {

using namespace sectile;
using K = test::scatters::product<test::scatters::plain>;

template <class T>
T* memory(int number) {
  return reinterpret_cast<T*>(std::uintptr_t(number) << 50);
}
/// Rows of `n` columns, `pitch` elements apart, each of which is named so often.
struct problem {
  std::int64_t rows = 2, n = 64, pitch = 64, each = 3;

  argument_facts facts() const {
    const std::int64_t m = rows * each;
    argument_facts given = facts_of_all(matrix(memory<const bf16>(1), m, 8), matrix(memory<const bf16>(2), n, 8),
                                        tensor(memory<const s32>(3), m), matrix(memory<bf16>(4), rows, n, pitch));
    as_the_body_has_them<K>(given.tensor);
    return given;
  }
  /// What a launch says of it; nothing if it takes it.
  std::string refusal() const {
    try {
      const argument_facts given = facts();
      check_launch(plan_of<K>, given.tensor);
      check_scattered_rows(plan_of<K>, given.tensor);
    } catch (const launch_error& e) {
      return e.what();
    }
    return "";
  }
};

TEST_CASE("how far rows are apart") {
  CHECK(problem{.pitch = (1 << 30) - 8}.refusal().empty());
  CHECK(problem{.pitch = 1 << 30}.refusal() ==
        "operand C: rows are 2147483648 bytes apart; those that are named up to 2147483647");
  CHECK(problem{.rows = 1, .pitch = 1 << 30}.refusal().empty());  // there is none that follows
}
TEST_CASE("how long a row is") {
  CHECK(problem{.n = (1 << 30) - 8, .pitch = (1 << 30) - 8}.refusal().empty());
  CHECK(problem{.rows = 1, .n = 1 << 30, .pitch = 1 << 30}.refusal() ==
        "operand C: a row has 2147483648 bytes; rows that are named have up to 2147483647");
}
TEST_CASE("how many pieces of rows are stored") {
  CHECK(problem{.rows = 1, .each = (1 << 30) + 8}.refusal().empty());
  const problem many{.rows = 1, .n = 72, .pitch = 72, .each = 1 << 30};
  CHECK(many.refusal() ==
        "operand C: 1073741824 rows are stored in 2 tiles along N, which makes 2147483648 pieces of rows; up to "
        "2147483647 are counted");
  CHECK_THROWS_AS(workspace_bytes(plan_of<K>, many.facts().tensor), launch_error);
}
TEST_CASE("rows that are none") {
  argument_facts given = problem{}.facts();
  given.tensor[3].picked_from = 0;
  CHECK_THROWS_WITH_AS(workspace_bytes(plan_of<K>, given.tensor),
                       doctest::Contains("operand C: its 0 rows are named by 6 numbers of place"), launch_error);
  CHECK_THROWS_AS(check_launch(plan_of<K>, given.tensor), launch_error);
}

}  // namespace
