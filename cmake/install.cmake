# What `cmake --install` lays down: headers, the model, the tool, the generator of pages, and the package that
# find_package(sectile) and pkg-config find.
include(CMakePackageConfigHelpers)
set(package_dir "${CMAKE_INSTALL_LIBDIR}/cmake/sectile")

set(told)
if(TARGET sectile_tell)
  set(told sectile_tell)
endif()

install(
  TARGETS sectile_layouts sectile_dsl sectile_model sectile_operator sectile_kernels ${told}
  EXPORT sectile-targets
  ARCHIVE DESTINATION "${CMAKE_INSTALL_LIBDIR}")
install(
  EXPORT sectile-targets
  NAMESPACE sectile::
  DESTINATION "${package_dir}")
install(
  DIRECTORY layouts dsl kernels
  DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}/sectile"
  FILES_MATCHING
  PATTERN "*.hpp"
  PATTERN "launch/cuda/*.cpp")
install(FILES layouts/layouts.hpp dsl/dsl.hpp DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}/sectile")

configure_package_config_file(cmake/sectile-config.cmake.in "${PROJECT_BINARY_DIR}/sectile-config.cmake"
                              INSTALL_DESTINATION "${package_dir}"
                              PATH_VARS CMAKE_INSTALL_INCLUDEDIR)
write_basic_package_version_file("${PROJECT_BINARY_DIR}/sectile-config-version.cmake" COMPATIBILITY SameMinorVersion)
install(FILES "${PROJECT_BINARY_DIR}/sectile-config.cmake" "${PROJECT_BINARY_DIR}/sectile-config-version.cmake"
              cmake/cuda.cmake cmake/launch.cmake cmake/sectile_add_kernel.cmake cmake/sectile_add_tutorial.cmake
              cmake/sectile_add_operator.cmake
        DESTINATION "${package_dir}")

# Paths are relative to where the file lies, so that an installed tree can be moved.
file(RELATIVE_PATH pc_up "/${CMAKE_INSTALL_LIBDIR}/pkgconfig" "/")
string(REGEX REPLACE "/$" "" pc_up "${pc_up}")
configure_file(cmake/sectile.pc.in "${PROJECT_BINARY_DIR}/sectile.pc" @ONLY)
install(FILES "${PROJECT_BINARY_DIR}/sectile.pc" DESTINATION "${CMAKE_INSTALL_LIBDIR}/pkgconfig")

if(TARGET sectile_cli)
  install(TARGETS sectile_cli RUNTIME DESTINATION "${CMAKE_INSTALL_BINDIR}" OPTIONAL)
endif()
install(
  DIRECTORY docs/generator
  DESTINATION "${CMAKE_INSTALL_DATADIR}/sectile"
  FILES_MATCHING
  PATTERN "*.py"
  PATTERN "*.j2"
  PATTERN "*.css"
  PATTERN "*.js"
  PATTERN "__pycache__" EXCLUDE)
