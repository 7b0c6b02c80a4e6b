# The package as somebody else sees it: install into a scratch folder, then configure, build and run the project in
# tests/install/project with nothing but find_package(sectile), and an example with nothing but pkg-config.
if(NOT EXISTS "${PROJECT_SOURCE_DIR}/layouts/layouts.hpp" OR NOT EXISTS "${PROJECT_SOURCE_DIR}/dsl/dsl.hpp")
  return()
endif()
set(prefix "${PROJECT_BINARY_DIR}/installed")
set(outside "${PROJECT_BINARY_DIR}/outside")

add_test(NAME install/lay_down COMMAND ${CMAKE_COMMAND} --install "${PROJECT_BINARY_DIR}" --prefix "${prefix}")
set_tests_properties(install/lay_down PROPERTIES FIXTURES_SETUP installed LABELS install)

add_test(
  NAME install/outside_project
  COMMAND
    ${CMAKE_CTEST_COMMAND} --build-and-test "${CMAKE_CURRENT_LIST_DIR}/project" "${outside}" --build-generator
    "${CMAKE_GENERATOR}" --build-options "-DCMAKE_PREFIX_PATH=${prefix}" "-DCMAKE_CXX_COMPILER=${CMAKE_CXX_COMPILER}"
    "-DCMAKE_CXX_FLAGS=$<$<BOOL:${SECTILE_SANITIZE}>:-fsanitize=address,undefined>" "-DSECTILE_CUDA=${SECTILE_CUDA}"
    --test-command ${CMAKE_CTEST_COMMAND} --output-on-failure)
set_tests_properties(install/outside_project PROPERTIES FIXTURES_REQUIRED installed LABELS install)

find_program(SECTILE_PKG_CONFIG NAMES pkg-config pkgconf)
mark_as_advanced(SECTILE_PKG_CONFIG)
sectile_run_script(
  install/pkg_config install/pkg_config.cmake "PKG_CONFIG=${SECTILE_PKG_CONFIG}" "COMPILER=${CMAKE_CXX_COMPILER}"
  "FLAGS=$<$<BOOL:${SECTILE_SANITIZE}>:-fsanitize=address,undefined>"
  "FOUND_AT=${prefix}/${CMAKE_INSTALL_LIBDIR}/pkgconfig" "VERSION=${PROJECT_VERSION}"
  "SOURCE=${PROJECT_SOURCE_DIR}/examples/02_own_kernel.cu" "PROGRAM=${PROJECT_BINARY_DIR}/by_pkg_config")
set_tests_properties(install/pkg_config PROPERTIES FIXTURES_REQUIRED installed LABELS install)
