#include "tool/answer.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "tool/error_bar.hpp"
#include "tool/storage_types.hpp"

namespace sectile::tool {
namespace {

/// How far from a number it may be once it is rounded. Rounding keeps numbers in order, so what lies within bounds lies
/// within the rounded bounds afterwards: nearer than half a unit where the number is near one of the type's, and right
/// for those that are too small or too large for the type, too.
template <class T>
double off_as(const approximate& x) {
  const auto rounded = [](double bound) {
    return static_cast<double>(static_cast<float>(T(static_cast<float>(bound))));
  };
  return std::max(std::fabs(rounded(x.value + x.off) - x.value), std::fabs(x.value - rounded(x.value - x.off)));
}

}  // namespace

answer judged_one_by_one(std::vector<double> values, std::vector<double> off) {
  double squares = 0, squares_off = 0;
  for (const double x : values) squares += x * x;
  for (const double x : off) squares_off += x * x;
  return {std::move(values), squares > 0 ? std::sqrt(squares_off / squares) : 0, std::move(off)};
}

answer judged_when_rounded(const std::vector<approximate>& elements, const element& type) {
  std::vector<double> values, off;
  values.reserve(elements.size());
  off.reserve(elements.size());
  for (const approximate& x : elements) values.push_back(x.value);
  if (type.kind == number::floating)
    with_storage_type(type, [&]<class T>(std::type_identity<T>) {
      for (const approximate& x : elements) off.push_back(off_as<T>(x));
    });
  else
    for (const approximate& x : elements) off.push_back(x.off + rounding_off(type, x.value));
  if (std::ranges::all_of(off, [](double x) { return x == 0; })) return {std::move(values)};
  return judged_one_by_one(std::move(values), std::move(off));
}

}  // namespace sectile::tool
