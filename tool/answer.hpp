// What a run of a kernel has to give in one of its outputs, in float64.
#pragma once

#include <sectile/layouts/element.hpp>
#include <vector>

#include "tool/approximate.hpp"

namespace sectile::tool {

struct answer {
  std::vector<double> values;
  double bar = 0;  // the largest relative L2 error that rounding explains; 0: every element is exact
  /// How far rounding may leave each element, where they are judged one by one; none: the bar decides.
  std::vector<double> off{};
  /// Elements that nobody writes, so that they stay what outputs are filled with, not a number; none: all are written.
  std::vector<bool> untouched{};
};

/// An answer whose elements may be off by so much, with the bar that follows.
answer judged_one_by_one(std::vector<double> values, std::vector<double> off);

/// The same of what a kernel computes in f32 and then rounds to `type`. Where no element is off, as where numbers are
/// moved that have a place in the type, every element is exact.
answer judged_when_rounded(const std::vector<approximate>& elements, const element& type);

}  // namespace sectile::tool
