#include "tool/answer.hpp"

#include <cmath>
#include <utility>

namespace sectile::tool {

answer judged_one_by_one(std::vector<double> values, std::vector<double> off) {
  double squares = 0, squares_off = 0;
  for (const double x : values) squares += x * x;
  for (const double x : off) squares_off += x * x;
  return {std::move(values), squares > 0 ? std::sqrt(squares_off / squares) : 0, std::move(off)};
}

}  // namespace sectile::tool
