// Instructions as lines of PTX: all that the table has, and the neighbours that it does not have.
#pragma once
#include <string>
#include <vector>

#include <sectile/dsl/plan/instruction.hpp>

namespace sectile::ptx_test {

/// One instruction and its spelling, without the end of the line.
struct candidate {
  wgmma_instruction w;
  std::string text;
  bool in_table;  // as check_instruction says
};

/// Every row of one family, 0 <= family < 17, spelled as kernels spell it.
std::vector<candidate> rows_of_family(int family);

/// Instructions around the table, in it or not: every combination of types, N from 8 to 264, other K, and every
/// combination of majors, negations, clamping and selectors, spelled the way they would be if they existed; and
/// immediates out of range. Those that are in the table are spelled as rows_of_family spells them, or it is wrong.
std::vector<candidate> around_the_table();

}  // namespace sectile::ptx_test
