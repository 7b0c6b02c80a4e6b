// The texts of docs/measured/ceilings*.json; measured_ceilings.cmake makes the source that has them.
#pragma once

#include <span>
#include <string_view>

namespace sectile::tool {

/// One for each GPU, the first that of docs/measured/ceilings.json.
std::span<const std::string_view> measured_ceilings();

}  // namespace sectile::tool
