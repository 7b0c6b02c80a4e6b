#include "tool/approximate.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "tool/error_bar.hpp"

namespace sectile::tool {
namespace {

/// How far a sum of so many numbers is off that are exact. Errors of additions go either way, so whatever the order,
/// they grow with the root of the number (N. Higham and T. Mary, 2019); a single sum may have bad luck.
double adding_off(std::size_t count, double magnitude) {
  return bad_luck * std::sqrt(static_cast<double>(count)) * std::ldexp(magnitude, -24);
}

template <class Of>
approximate largest(std::span<const approximate> all, Of of) {
  double value = -std::numeric_limits<double>::infinity(), above = value, below = value;
  for (const approximate& x : all) {
    value = std::max(value, of(x.value));
    above = std::max(above, of(x.value) + x.off);
    below = std::max(below, of(x.value) - x.off);
  }
  return {value, std::max(above - value, value - below)};
}

}  // namespace

approximate sum_of(std::span<const approximate> all) {
  approximate sum;
  double magnitude = 0;
  for (const approximate& x : all) {
    sum.value += x.value;
    sum.off += x.off;
    magnitude += std::fabs(x.value);
  }
  sum.off += adding_off(all.size(), magnitude);
  return sum;
}

approximate most_of(std::span<const approximate> all) {
  return largest(all, [](double x) { return x; });
}

approximate largest_magnitude_of(std::span<const approximate> all) {
  return largest(all, [](double x) { return std::fabs(x); });
}

approximate exponentials_of(std::span<const approximate> all) {
  constexpr double any = 700;  // e to that power is a number still, and explains anything
  const approximate most = most_of(all);
  approximate sum;
  for (const approximate& x : all) {
    const double term = std::exp(x.value - most.value);
    sum.value += term;
    sum.off += term * std::expm1(std::min(x.off + most.off, any));
  }
  sum.off += arithmetic_bar * sum.value + adding_off(all.size(), sum.value);
  return sum;
}

}  // namespace sectile::tool
