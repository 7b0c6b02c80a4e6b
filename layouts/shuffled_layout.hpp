#pragma once
// The order of shuffled_columns.hpp as a layout of the algebra.
#include <sectile/layouts/notation.hpp>
#include <sectile/layouts/shuffled_columns.hpp>

namespace sectile {

/// From an element's place among shuffled_columns(element_bits) neighbours in memory to its column among as many. Its
/// modes: elements of a lane's word, lanes of a row's quad, words. element_bits: 8 or 4.
constexpr layout shuffled_layout(int element_bits) {
  using namespace literals;
  return element_bits == 8 ? "((2,2),4,2):((1,8),2,16)"_layout : "((4,2),4,2):((8,1),2,32)"_layout;
}

}  // namespace sectile
