// The products of a body, and the tiles that it brings into registers.
#pragma once
#include <sectile/dsl/plan/product.hpp>

namespace sectile {

constexpr int max_products = 8;

/// A tile that ordinary loads bring into registers, as operand A or in the order of sums.
struct fragment_read {
  std::int16_t operand = -1;
  operand_tile tile{};
  bool as_sums = false;
  friend constexpr bool operator==(const fragment_read&, const fragment_read&) = default;
};

/// Registers of sums that one load fills from such a tile: two that are neighbours in a row, if these are neighbours in
/// memory.
constexpr int words_of_sums(const operand_tile& t) { return t.major == major::k ? 2 : 1; }

/// What the planner learns besides the trace: which products there are, and which tiles come into registers.
struct product_table {
  int count = 0;
  std::int16_t position[max_products]{};
  product_plan at[max_products]{};
  bool begins[max_products]{};  // whether it begins a sum where the body first comes by
  int reads = 0;
  fragment_read read[max_products]{};  // tiles that the body brings into registers
};
/// Whether consumers make some product a block after the other: see product_by_blocks.hpp.
constexpr bool makes_parts(const product_table& t) {
  for (int i = 0; i < t.count; ++i)
    if (t.at[i].parts > 1) return true;
  return false;
}

}  // namespace sectile
