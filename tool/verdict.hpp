// Whether a run's result is what it should be.
#pragma once

#include <string>

#include "tool/operand_data.hpp"
#include "tool/problem.hpp"

namespace sectile::tool {

struct verdict {
  bool right = false;
  double relative_l2 = 0;
  double bar = 0;     // the largest that rounding explains; 0: every element is exact
  std::string words;  // "relative L2 1.66e-03 (at most 0.0039 is rounding), largest difference 0.22 at (172, 397)"
};

/// Compares with the float64 reference, with a progress bar.
verdict check_result(const tensor_buffer& output, const problem& p);

}  // namespace sectile::tool
