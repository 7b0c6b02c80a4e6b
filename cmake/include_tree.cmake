# The include tree <sectile/...> of the build: links to the source folders, so that an edit is seen at once, and at its
# root to the header of each that includes all of it. (To that file itself: one that included it would be one more line of
# every message.)
set(sectile_tree "${PROJECT_BINARY_DIR}/include/sectile")
file(MAKE_DIRECTORY "${sectile_tree}")
foreach(folder IN ITEMS layouts dsl kernels)
  file(CREATE_LINK "${PROJECT_SOURCE_DIR}/${folder}" "${sectile_tree}/${folder}" SYMBOLIC)
endforeach()
set(sectile_umbrellas "${PROJECT_SOURCE_DIR}/layouts/layouts.hpp" "${PROJECT_SOURCE_DIR}/dsl/dsl.hpp")
foreach(umbrella IN LISTS sectile_umbrellas)
  cmake_path(GET umbrella FILENAME name)
  file(CREATE_LINK "${umbrella}" "${sectile_tree}/${name}" SYMBOLIC)
endforeach()
