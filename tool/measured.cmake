# sectile_embed_measured(SOURCE NAME...): writes the C++ source with the texts of docs/measured/NAME*.json, for each NAME
# as the function measured_NAME().
function(sectile_embed_measured source)
  set(functions "")
  foreach(name IN LISTS ARGN)
    file(GLOB files CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/docs/measured/${name}*.json")
    list(SORT files)  # "ceilings.json" before "ceilings_h100.json"
    set(texts "")
    foreach(file IN LISTS files)
      set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${file}")
      file(READ "${file}" text)
      string(APPEND texts "    R\"json(${text})json\",\n")
    endforeach()
    string(APPEND functions "
std::span<const std::string_view> measured_${name}() {
  static constexpr std::string_view texts[] = {
${texts}  };
  return texts;
}
")
  endforeach()
  file(CONFIGURE OUTPUT "${source}" @ONLY CONTENT [[
// Made by tool/measured.cmake.
#include "tool/measured.hpp"

namespace sectile::tool {
@functions@
}  // namespace sectile::tool
]])
endfunction()
