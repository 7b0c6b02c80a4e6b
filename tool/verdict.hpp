// Whether a run's results are what they should be.
#pragma once

#include <string>
#include <vector>

#include "tool/kernel_list.hpp"
#include "tool/operand_buffers.hpp"

namespace sectile::tool {

struct verdict {
  bool right = false;
  double relative_l2 = 0;
  double bar = 0;     // the largest that rounding explains; 0: every element is exact
  std::string words;  // "relative L2 1.66e-03 (at most 0.0039 is rounding), largest difference 0.22 at (172, 397)"
};

/// Of a result with that shape.
verdict judge(const std::vector<double>& result, const answer& right, const std::vector<std::int64_t>& shape);

/// Compares every output with the float64 reference, with a progress bar.
std::vector<verdict> check_results(const operand_buffers& operands, const problem& p);

/// What is said of all outputs together: their names where there are several, and the matrix's errors.
verdict whole_verdict(const kernel_facts& kernel, const std::vector<verdict>& of_outputs);

}  // namespace sectile::tool
