// What a problem asks of any machine, however it is computed: the bytes that have to move between memory and the chip,
// and the multiplications and additions of its products.
#pragma once

#include <string_view>
#include <vector>

#include "tool/sizes.hpp"

namespace sectile::tool {

struct moved_operand {
  std::string_view name;
  double bytes = 0;  // of a sparse matrix what is stored of it, and its metadata
};

struct kernel_work {
  std::vector<moved_operand> moved;  // every input once, every output once
  double operations = 0;             // two for each term of a product's sum; 0: nothing is multiplied as matrices are

  double bytes() const;
};

/// Of a sparse product the operations are those of the dense one; of causal attention those of the keys that are seen.
kernel_work work_of(const kernel_facts& kernel, const named_sizes& sizes);

}  // namespace sectile::tool
