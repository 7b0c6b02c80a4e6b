// What a default run of a kernel has to give, and whether something else would pass for it.
#pragma once

#include <string>
#include <vector>

#include "tool/problem.hpp"
#include "tool/verdict.hpp"

namespace sectile::tool {

/// The outputs that a run on random operands has to give.
struct random_answers {
  const kernel_facts& kernel;
  std::string shape = default_shape(kernel, machine::model);
  problem p = random_problem(kernel, reading::wgmma, shape, 1);
  std::vector<answer> right = answers_of(p);

  static std::vector<answer> answers_of(const problem& p) {
    progress tick("", 0);
    return p.reference(p.inputs, tick);
  }
  /// Right up to how much output `o` is off: the values of the reference, changed by `change(value, index)`.
  template <class Change>
  bool passes(std::size_t o, Change change) const {
    std::vector<double> result = right[o].values;
    for (std::size_t i = 0; i < result.size(); ++i) result[i] = change(result[i], i);
    return judge(result, right[o], p.output_shapes[o]).right;
  }
};

}  // namespace sectile::tool
