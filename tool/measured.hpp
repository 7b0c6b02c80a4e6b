// The texts of files of docs/measured; measured.cmake makes the source that has them.
#pragma once

#include <span>
#include <string_view>

namespace sectile::tool {

/// Of ceilings*.json: one for each GPU, the first that of ceilings.json.
std::span<const std::string_view> measured_ceilings();
/// Of machine_code.json.
std::span<const std::string_view> measured_machine_code();

}  // namespace sectile::tool
