// What has no place in a type of 8 bits.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <sectile/layouts/element.hpp>

namespace sectile::tool {

/// What becomes of a number that has no place in T: of 8 bits, the nearest that has one.
template <class T>
double in_range(double x) {
  if constexpr (element_of<T>().bits != 8)
    return x;
  else if constexpr (element_of<T>().kind == number::floating)
    return std::copysign(std::min(std::fabs(x), static_cast<double>(static_cast<float>(T(0x1p20F)))), x);
  else
    return std::clamp<double>(x, std::numeric_limits<T>::min(), std::numeric_limits<T>::max());
}

}  // namespace sectile::tool
