// Elements and products of matrices that are vectors of floats, in float64.
#pragma once

#include <cstdint>
#include <vector>

namespace cli {

inline double at(const std::vector<float>& x, std::int64_t i) {
  return static_cast<double>(x[static_cast<std::size_t>(i)]);
}

/// Row i of x times row j of y, of so many columns each.
inline double dot(const std::vector<float>& x, const std::vector<float>& y, std::int64_t i, std::int64_t j,
                  std::int64_t columns) {
  double sum = 0;
  for (std::int64_t l = 0; l < columns; ++l) sum += at(x, i * columns + l) * at(y, j * columns + l);
  return sum;
}

}  // namespace cli
