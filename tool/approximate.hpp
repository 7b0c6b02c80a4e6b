// Numbers of a reference, each with how far from it rounding may leave what a kernel computes, and what is made of
// many.
#pragma once

#include <span>

namespace sectile::tool {

struct approximate {
  double value = 0;
  double off = 0;
};

/// Their sum in f32, added in any order.
approximate sum_of(std::span<const approximate> all);

/// The largest of them, and the largest magnitude.
approximate most_of(std::span<const approximate> all);
approximate largest_magnitude_of(std::span<const approximate> all);

/// The sum of exp(x - most) over all x, in f32: what a softmax divides by.
approximate exponentials_of(std::span<const approximate> all);

}  // namespace sectile::tool
