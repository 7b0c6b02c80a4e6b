# The include tree <sectile/...> of the build: links to the source folders, so that an edit is seen at once, and the two
# umbrella headers at its root.
set(sectile_tree "${PROJECT_BINARY_DIR}/include/sectile")
file(MAKE_DIRECTORY "${sectile_tree}")
foreach(folder IN ITEMS layouts dsl kernels)
  file(CREATE_LINK "${PROJECT_SOURCE_DIR}/${folder}" "${sectile_tree}/${folder}" SYMBOLIC)
endforeach()
foreach(umbrella IN ITEMS layouts dsl)
  configure_file("${PROJECT_SOURCE_DIR}/cmake/umbrella.hpp.in" "${sectile_tree}/${umbrella}.hpp" @ONLY)
endforeach()
