// Words that are nearly another.
#include "tool/nearest.hpp"

#include <doctest/doctest.h>

#include <vector>

using namespace sectile::tool;

TEST_CASE("the distance counts letters added, removed, changed and swapped") {
  CHECK(edit_distance("", "") == 0);
  CHECK(edit_distance("abc", "abc") == 0);
  CHECK(edit_distance("", "abc") == 3);
  CHECK(edit_distance("abc", "") == 3);
  CHECK(edit_distance("kitten", "sitting") == 3);
  CHECK(edit_distance("bf61", "bf16") == 1);
  CHECK(edit_distance("ab", "ba") == 1);
  CHECK(edit_distance("abcd", "badc") == 2);
}

TEST_CASE("only near names are suggested, and all that are as near") {
  const std::vector<std::string_view> names{"gemm_s8", "gemm_u8", "attention"};
  CHECK(suggestion("gemm_x8", names, "none") == "did you mean gemm_s8 or gemm_u8?");
  CHECK(suggestion("atention", names, "none") == "did you mean attention?");
  CHECK(suggestion("zzz", names, "none") == "none");
}
