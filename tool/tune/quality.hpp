// How good picks are: of the problems of a table, how fast what is picked was, compared with the fastest member.
#pragma once
#include <string>
#include <vector>

#include "tool/tune/table.hpp"

namespace sectile::tool {

/// What is picked for a problem, and how fast that is: the best member's time over the pick's, 1 at most.
struct judged_pick {
  int member = 0;
  double quality = 0;
};
struct judged_problem {
  problem_size sizes{};
  int best = 0;
  judged_pick model;     // the cost model alone
  judged_pick table;     // with the table
  judged_pick left_out;  // with the table of all other problems: what to expect of sizes that were not measured
};
std::vector<judged_problem> judge_picks(const shipped_family& family, const tuning_table& measured);

/// Geometric means over the problems, and those whose picks are worst.
std::string quality_text(const shipped_family& family, const tuning_table& measured);

}  // namespace sectile::tool
