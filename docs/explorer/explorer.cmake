# The explorer: one page that needs no server, in which layouts/ runs as WebAssembly. Target `explorer` (part of `all`)
# makes site/explorer/index.html. Without em++ (Debian: emscripten) or Python it is left out, and nothing else is.
find_program(SECTILE_EMXX em++)
find_program(SECTILE_SITE_PYTHON python3 PATHS /usr/bin NO_DEFAULT_PATH)
find_program(SECTILE_SITE_PYTHON python3)
mark_as_advanced(SECTILE_EMXX SECTILE_SITE_PYTHON)
if(NOT SECTILE_EMXX OR NOT SECTILE_SITE_PYTHON OR NOT TARGET sectile_cli)
  message(STATUS "The explorer is left out: it needs em++ (Debian: emscripten), python3 and the tool")
  return()
endif()

set(SECTILE_EXPLORER "${PROJECT_BINARY_DIR}/site/explorer/index.html")
set(here "${CMAKE_CURRENT_LIST_DIR}")
set(scratch "${PROJECT_BINARY_DIR}/explorer")
file(MAKE_DIRECTORY "${scratch}")

set(calls show view compare access element descriptor tile_descriptor functions)
list(TRANSFORM calls PREPEND "_explorer_")
list(JOIN calls "," calls)
file(GLOB parts CONFIGURE_DEPENDS "${here}/*.hpp" "${PROJECT_SOURCE_DIR}/layouts/*.hpp")
file(GLOB scripts CONFIGURE_DEPENDS "${here}/script/*.js")

# Debian's em++ looks for its own scripts where Debian's node does, which another node has to be told.
add_custom_command(
  OUTPUT "${scratch}/program.js"
  COMMAND "${CMAKE_COMMAND}" -E env NODE_PATH=/usr/share/nodejs "${SECTILE_EMXX}" -std=c++20 -Os -fexceptions
          "-I${PROJECT_SOURCE_DIR}/include" "${here}/bindings.cpp" -o "${scratch}/program.js"
          -s SINGLE_FILE=1 -s MODULARIZE=1 -s EXPORT_NAME=load_sectile -s ENVIRONMENT=web -s ALLOW_MEMORY_GROWTH=1
          -s EXPORTED_RUNTIME_METHODS=cwrap -s "EXPORTED_FUNCTIONS=${calls}"
  DEPENDS "${here}/bindings.cpp" ${parts}
  COMMENT "The explorer's program"
  VERBATIM)
add_custom_command(
  OUTPUT "${SECTILE_EXPLORER}"
  COMMAND "${SECTILE_SITE_PYTHON}" "${here}/assemble.py" --program "${scratch}/program.js"
          --site-style "${PROJECT_SOURCE_DIR}/docs/generator/style.css" --sectile "$<TARGET_FILE:sectile_cli>"
          --out "${SECTILE_EXPLORER}"
  DEPENDS "${scratch}/program.js" "${here}/assemble.py" "${here}/index.html" "${here}/explorer.css"
          "${here}/presets.json" ${scripts} "${PROJECT_SOURCE_DIR}/docs/generator/style.css" sectile_cli
  COMMENT "The explorer"
  VERBATIM)
add_custom_target(explorer ALL DEPENDS "${SECTILE_EXPLORER}")
