// From measured times to the table by which a launch picks, and to the header that holds it.
#pragma once
#include <deque>
#include <span>
#include <string>
#include <vector>

#include "tool/tune/table.hpp"

namespace sectile::tool {

/// The constants of that very GPU. Throws input_error where the cost model has none of its own for it, because a pick
/// there would not know that it is one.
const gpu_constants& own_constants(const std::string& name, const std::string& gpu);

/// A table as a launch reads it, and what it points to.
struct picking_table {
  std::deque<std::string> letters{};
  std::vector<measured_shape> shapes{};  // in the order that a pick wants
  std::vector<std::size_t> problem{};    // of what was measured, which each of them is
  measured_table table{};

  picking_table() = default;
  picking_table(const picking_table&) = delete;
  picking_table& operator=(const picking_table&) = delete;
};
/// Fills it with what was measured of the family.
void make_picking_table(picking_table& to, const shipped_family& family, const tuning_table& measured,
                        const gpu_constants& gpu);

/// The header with the tables of a family, which the family's own includes.
std::string header_text(const shipped_family& family, std::span<const tuning_table> measured);

}  // namespace sectile::tool
