#pragma once
// Every layout with few modes, small extents and the given strides: the domain on which laws are checked one by one.

#include <cstdint>
#include <initializer_list>
#include <sectile/layouts/layouts.hpp>
#include <sectile/layouts/text.hpp>
#include <vector>

namespace sectile_tests {

/// All flat layouts of 1 to `modes` modes; one mode is a leaf.
inline std::vector<sectile::layout> small_layouts(int modes, std::initializer_list<std::int64_t> extents,
                                                  std::initializer_list<std::int64_t> strides) {
  std::vector<sectile::layout> leaves;
  for (const std::int64_t extent : extents) {
    for (const std::int64_t stride : strides) leaves.push_back(sectile::make_layout(extent, stride));
  }
  std::vector<sectile::layout> all = leaves;
  std::vector<sectile::layout> longest = leaves;
  for (int m = 2; m <= modes; ++m) {
    std::vector<sectile::layout> longer;
    for (const sectile::layout& l : longest) {
      for (const sectile::layout& leaf : leaves) longer.push_back(sectile::append(l, leaf));
    }
    all.insert(all.end(), longer.begin(), longer.end());
    longest = longer;
  }
  return all;
}

/// The offsets of all coordinates, in order.
inline std::vector<std::int64_t> offsets(const sectile::layout& l) {
  std::vector<std::int64_t> result;
  for (std::int64_t i = 0; i < sectile::size(l); ++i) result.push_back(l(i));
  return result;
}

/// The text of the refusal that `call` ends in; empty if it does not.
template <class Call>
std::string refusal(Call call) {
  try {
    call();
  } catch (const sectile::layout_error& error) {
    return error.what();
  }
  return {};
}

}  // namespace sectile_tests
