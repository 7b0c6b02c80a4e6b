# CuTe as a witness of the algebra: a program that asks CUTLASS's headers and layouts/ the same questions, and the gallery's
# cases of CuTe kernels (tests/faults/cute_*.cpp) with CuTe's own types. Nothing of CUTLASS is part of this repository, and
# nothing is fetched: point to its headers, or have PyPI's nvidia-cutlass installed where Python 3 finds it.
#
#   cmake -S . -B build -DSECTILE_CUTLASS=/path/to/cutlass/include
#   cmake --build build --target cute_witness && build/tests/cute_witness     # half an hour to compile
#   ctest --test-dir build -L cutlass                                          # that, and the cases
set(SECTILE_CUTLASS "" CACHE PATH "CUTLASS's headers (the folder that holds cute/), for the program cute_witness")

set(cute_headers "${SECTILE_CUTLASS}")
find_package(Python3 3.8 QUIET COMPONENTS Interpreter)
if(cute_headers STREQUAL "" AND Python3_Interpreter_FOUND)
  execute_process(
    COMMAND "${Python3_EXECUTABLE}" -c
            "import os, cutlass_library as c; print(os.path.join(os.path.dirname(c.__file__), 'source', 'include'))"
    OUTPUT_VARIABLE cute_headers
    OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
endif()
find_path(SECTILE_CUDA_HEADERS cuda_runtime_api.h HINTS ${CMAKE_CUDA_TOOLKIT_INCLUDE_DIRECTORIES} /usr/local/cuda/include)
mark_as_advanced(SECTILE_CUDA_HEADERS)
set(why "")
if(NOT cute_headers OR NOT EXISTS "${cute_headers}/cute/layout.hpp")
  set(why "there is no cute/layout.hpp in '${cute_headers}': set SECTILE_CUTLASS to CUTLASS's headers")
elseif(NOT SECTILE_CUDA_HEADERS)
  set(why "CuTe includes headers of CUDA, and there is no cuda_runtime_api.h: set SECTILE_CUDA_HEADERS to its folder")
endif()
if(why)
  if(SECTILE_CUTLASS)
    message(WARNING "CuTe is no witness: ${why}")
  endif()
  add_custom_target(cute_witness COMMAND ${CMAKE_COMMAND} -E echo "CuTe is no witness: ${why}" COMMAND
                                         ${CMAKE_COMMAND} -E false VERBATIM)
  return()
endif()

# Two to four minutes and 3 GB for every 50 cases, so a file holds no more; ten of them are a thousand layouts.
set(folder "${CMAKE_CURRENT_LIST_DIR}")
set(sources "${folder}/main.cpp" "${folder}/tensor_cores.cpp" "${folder}/boxes.cpp")
foreach(first RANGE 0 450 50)
  set(part "${CMAKE_CURRENT_BINARY_DIR}/cutlass/algebra_${first}.cpp")
  file(CONFIGURE OUTPUT "${part}" CONTENT "#define FIRST_CASE ${first}\n#define CASES 50\n#include \"${folder}/algebra.cpp\"\n")
  list(APPEND sources "${part}")
endforeach()
add_executable(cute_witness EXCLUDE_FROM_ALL ${sources})
target_link_libraries(cute_witness PRIVATE sectile::layouts)
target_include_directories(cute_witness PRIVATE "${folder}")
set(cute_includes "${cute_headers}" "${SECTILE_CUDA_HEADERS}" "${SECTILE_CUDA_HEADERS}/cccl")
target_include_directories(cute_witness SYSTEM PRIVATE ${cute_includes})
target_compile_options(cute_witness PRIVATE -O0 -w)  # what is compiled are CuTe's templates

if(NOT SECTILE_CUTLASS)
  return()  # found by itself: the program is there, and no test waits for it
endif()
add_test(NAME cutlass/build COMMAND ${CMAKE_COMMAND} --build "${CMAKE_BINARY_DIR}" --target cute_witness)
add_test(NAME cutlass/witness COMMAND cute_witness)
set_tests_properties(cutlass/build PROPERTIES LABELS cutlass FIXTURES_SETUP cute_witness)
set_tests_properties(cutlass/witness PROPERTIES LABELS cutlass FIXTURES_REQUIRED cute_witness)

# The same mistakes in CuTe's own types, with the same messages.
list(TRANSFORM cute_includes PREPEND "-isystem" OUTPUT_VARIABLE flags)
list(JOIN flags "," flags)
file(GLOB cases CONFIGURE_DEPENDS "${CMAKE_CURRENT_SOURCE_DIR}/faults/cute_*.cpp")
foreach(case IN LISTS cases)
  cmake_path(GET case STEM name)
  sectile_text_of("${case}" expect text)
  sectile_expectation(cutlass/${name} "${text}" expectation)
  sectile_run_script(cutlass/${name} faults/refused.cmake "COMPILER=${CMAKE_CXX_COMPILER}" "KIND=host" "FILE=${case}"
                     "INCLUDE=${PROJECT_SOURCE_DIR}/include" "EXPECTATION=${expectation}" "FLAGS=-DSECTILE_CUTE,-w,${flags}")
  set_tests_properties(cutlass/${name} PROPERTIES LABELS cutlass)
endforeach()
