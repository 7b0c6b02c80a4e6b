# What only the project itself decides, never a project that includes it: build type, compile database, sanitizers.

if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "Debug, Release, RelWithDebInfo or MinSizeRel" FORCE)
endif()
string(REPLACE "-O3" "-O2" CMAKE_CXX_FLAGS_RELEASE "${CMAKE_CXX_FLAGS_RELEASE}")

# g++ lets go of memory by itself from 128 MB on, and a file full of proofs needs ten times that: looking for what is free
# costs a sixth of its time. It may keep its share of this machine's memory, for each of ninja's jobs, up to 2 GB.
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  cmake_host_system_information(RESULT cores QUERY NUMBER_OF_LOGICAL_CORES)
  cmake_host_system_information(RESULT megabytes QUERY TOTAL_PHYSICAL_MEMORY)
  math(EXPR kept "${megabytes} * 1024 / (4 * (${cores} + 2))")
  if(kept GREATER 2000000)
    set(kept 2000000)
  endif()
  if(kept GREATER 131072)
    add_compile_options("$<$<COMPILE_LANGUAGE:CXX>:SHELL:--param ggc-min-heapsize=${kept}>")
  endif()
endif()

set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
cmake_path(IS_PREFIX PROJECT_SOURCE_DIR "${PROJECT_BINARY_DIR}" build_is_inside)
if(build_is_inside)
  # Editors look for the database beside the sources. Nothing is lost where the link cannot be made.
  file(CREATE_LINK "${PROJECT_BINARY_DIR}/compile_commands.json" "${PROJECT_SOURCE_DIR}/compile_commands.json"
       RESULT ignored SYMBOLIC)
endif()

if(SECTILE_SANITIZE)
  set(sanitizers -fsanitize=address,undefined -fno-sanitize-recover=undefined -fno-omit-frame-pointer)
  add_compile_options("$<$<COMPILE_LANGUAGE:CXX>:${sanitizers}>")
  add_link_options(-fsanitize=address,undefined)
endif()
