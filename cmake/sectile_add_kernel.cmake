# sectile_add_kernel(TARGET [SOURCES] FILE...)
#
# Adds files that hold kernels to TARGET, which is made as a static library where it does not exist yet.
# With CUDA every file is checked by the host C++ compiler first: a broken rule fails there within a second and with a
# formatted message, and nvcc only sees what holds. Without CUDA the files are compiled as plain C++ and run on the
# model. SECTILE_HAS_CUDA is 1 or 0 in every source of the target, accordingly; in that check, which is of plain C++, it
# is 0.
#
# A language is on in the folder that enabled it and below. A project that takes Sectile in with add_subdirectory()
# therefore enables CUDA itself, before that.
function(sectile_add_kernel target)
  set(sources ${ARGN})
  list(REMOVE_ITEM sources SOURCES)
  if(NOT sources)
    message(FATAL_ERROR "sectile_add_kernel(${target}): no source file was given")
  endif()
  if(NOT TARGET ${target})
    add_library(${target} STATIC)
  endif()
  target_sources(${target} PRIVATE ${sources})
  target_link_libraries(${target} PRIVATE sectile::kernels sectile::model)

  if(NOT SECTILE_CUDA OR NOT CMAKE_CUDA_COMPILER_LOADED OR CMAKE_CUDA_COMPILER_VERSION VERSION_LESS 12.0)
    target_compile_definitions(${target} PRIVATE SECTILE_HAS_CUDA=0)
    set_source_files_properties(${sources} PROPERTIES LANGUAGE CXX)
    message(STATUS "Sectile: ${target}: no CUDA, so its kernels are checked and run on the model only")
    return()
  endif()
  sectile_make_launch()
  target_link_libraries(${target} PRIVATE sectile::launch)
  target_compile_definitions(${target} PRIVATE SECTILE_HAS_CUDA=1)
  set_source_files_properties(${sources} PROPERTIES LANGUAGE CUDA)
  set_target_properties(${target} PROPERTIES CUDA_ARCHITECTURES "${SECTILE_CUDA_ARCHITECTURES}")
  foreach(source IN LISTS sources)
    sectile_check_on_host(${target} "${source}")
  endforeach()
endfunction()

# Makes the nvcc compilation of SOURCE wait until the host compiler has accepted it with the target's own include
# directories and definitions.
function(sectile_check_on_host target source)
  cmake_path(ABSOLUTE_PATH source OUTPUT_VARIABLE file)
  string(SHA256 id "${file}")
  string(SUBSTRING "${id}" 0 12 id)
  cmake_path(GET file FILENAME name)
  set(stamp "${CMAKE_CURRENT_BINARY_DIR}/${target}.host-check/${id}/${name}.checked")
  cmake_path(GET stamp PARENT_PATH folder)
  file(MAKE_DIRECTORY "${folder}")

  separate_arguments(flags UNIX_COMMAND "${CMAKE_CXX_FLAGS}")
  set(directories "$<TARGET_PROPERTY:${target},INCLUDE_DIRECTORIES>")
  set(definitions "$<TARGET_PROPERTY:${target},COMPILE_DEFINITIONS>")
  add_custom_command(
    OUTPUT "${stamp}"
    COMMAND
      ${CMAKE_CXX_COMPILER} ${flags} -std=c++20 -fsyntax-only "$<$<BOOL:${directories}>:-I$<JOIN:${directories},;-I>>"
      "$<$<BOOL:${definitions}>:-D$<JOIN:${definitions},;-D>>" -USECTILE_HAS_CUDA -DSECTILE_HAS_CUDA=0 -MD -MF "${stamp}.d" -MT "${stamp}" -x c++ "${file}"
    COMMAND ${CMAKE_COMMAND} -E touch "${stamp}"
    DEPENDS "${file}"
    DEPFILE "${stamp}.d"
    COMMENT "Checking ${name} with the host compiler"
    COMMAND_EXPAND_LISTS VERBATIM)
  set_property(SOURCE "${source}" APPEND PROPERTY OBJECT_DEPENDS "${stamp}")
endfunction()

# Sets OUT to the name that a kernel of this type has where none is given: without its namespace, and with '_' for what
# is no letter or digit.
function(sectile_name_kernel out type)
  string(REGEX REPLACE "^([^<]*::)" "" name "${type}")
  string(REGEX REPLACE "[^A-Za-z0-9_]+" "_" name "${name}")
  string(REGEX REPLACE "_+$" "" name "${name}")
  set(${out} "${name}" PARENT_SCOPE)
endfunction()
