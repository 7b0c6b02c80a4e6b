// What `sectile tune` makes up for the operands of a family: how many elements a vector has, whose modes follow from
// the problem's.
#include <doctest/doctest.h>

#include <sectile/kernels/block_scaled_family.hpp>

#include "tool/family_list.hpp"

namespace family_operands_test {
namespace {

using namespace sectile;

TEST_CASE("vectors that count tiles, or have an element for a block, are as long as the problem says") {
  constexpr tool::shipped_family family = tool::list_family<kernels::block_scaled_gemm_e4m3_family>("", "", "");
  const problem_size sizes{{"M", 300}, {"N", 200}, {"K", 400}};
  const auto extent = [&](int o, int d) { return tool::extent_along(*family.first, o, d, sizes); };
  CHECK(extent(0, 0) == 300);  // A(M,K)
  CHECK(extent(0, 1) == 400);
  CHECK(extent(2, 0) == 4);  // SA(KB,M), the last block of K has 16
  CHECK(extent(2, 1) == 300);
  CHECK(extent(3, 0) == 2);  // SB(N/128,KB)
  CHECK(extent(3, 1) == 4);
}

}  // namespace
}  // namespace family_operands_test
