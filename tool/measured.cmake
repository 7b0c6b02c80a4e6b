# sectile_embed_ceilings(SOURCE): writes the C++ source with the texts of docs/measured/ceilings*.json.
function(sectile_embed_ceilings source)
  file(GLOB files CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/docs/measured/ceilings*.json")
  list(SORT files)  # "ceilings.json" before "ceilings_h100.json"
  set(texts "")
  foreach(file IN LISTS files)
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${file}")
    file(READ "${file}" text)
    string(APPEND texts "    R\"json(${text})json\",\n")
  endforeach()
  file(CONFIGURE OUTPUT "${source}" @ONLY CONTENT [[
// Made by tool/roofline/measured_ceilings.cmake.
#include "tool/roofline/measured_ceilings.hpp"

namespace sectile::tool {

std::span<const std::string_view> measured_ceilings() {
  static constexpr std::string_view texts[] = {
@texts@  };
  return texts;
}

}  // namespace sectile::tool
]])
endfunction()
