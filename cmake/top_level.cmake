# What only the project itself decides, never a project that includes it: build type, compile database, sanitizers.

if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "Debug, Release, RelWithDebInfo or MinSizeRel" FORCE)
endif()
string(REPLACE "-O3" "-O2" CMAKE_CXX_FLAGS_RELEASE "${CMAKE_CXX_FLAGS_RELEASE}")

# g++ looks for memory that it can use again from 128 MB on, and a file full of proofs needs ten times that. Where each core
# has 4 GB it begins at one: that takes a fifth off the time of such a file.
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  cmake_host_system_information(RESULT megabytes QUERY TOTAL_PHYSICAL_MEMORY)
  cmake_host_system_information(RESULT cores QUERY NUMBER_OF_LOGICAL_CORES)
  set(kilobytes 262144)
  math(EXPR enough "4000 * ${cores}")
  if(megabytes GREATER_EQUAL enough)
    set(kilobytes 1000000)
  endif()
  add_compile_options("$<$<COMPILE_LANGUAGE:CXX>:SHELL:--param ggc-min-heapsize=${kilobytes}>")
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

if(SECTILE_COVERAGE)
  # Blocks on the model run in several threads, which count in the same places. An optimiser would evaluate calls of
  # constexpr functions, and lines would be one.
  add_compile_options("$<$<COMPILE_LANGUAGE:CXX>:--coverage;-fprofile-update=atomic;-O0>")
  add_link_options(--coverage)
endif()
