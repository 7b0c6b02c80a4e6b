# What the tests run, line by line, as gcov counts it:
#
#   cmake --preset coverage && cmake --build build-coverage --target coverage
#
# builds everything for it, runs the tests and prints a table: gcovr, of PyPI, reads what gcov says, also of headers that
# no test includes. Counted is what runs. What a compiler evaluates, and is not run besides, is not; nor is what needs a
# GPU: the machine of dsl/hopper, what tells CUDA, and the readings of nvcc.
if(NOT SECTILE_COVERAGE)
  return()
endif()
find_program(SECTILE_GCOVR gcovr)
if(NOT SECTILE_GCOVR)
  message(FATAL_ERROR "SECTILE_COVERAGE needs gcovr (pip install gcovr); name it by -DSECTILE_GCOVR= if it is not on the PATH")
endif()
find_program(SECTILE_GCOV gcov)
mark_as_advanced(SECTILE_GCOVR SECTILE_GCOV)

# All inline functions of all headers: one that nobody calls has no code elsewhere, and would be no line at all.
file(GLOB_RECURSE headers CONFIGURE_DEPENDS RELATIVE "${PROJECT_SOURCE_DIR}" "${PROJECT_SOURCE_DIR}/layouts/*.hpp"
     "${PROJECT_SOURCE_DIR}/dsl/*.hpp")
set(of_a_gpu "architectures|checked_device|device|device_of_call|driver|finish|launch|memory|portable|sparse_device|start")
list(FILTER headers EXCLUDE REGEX "^dsl/hopper/|^dsl/portable/cuda_|^dsl/launch/(${of_a_gpu})\\.hpp$")
list(TRANSFORM headers REPLACE "(.+)" "#include <sectile/\\1>\n")
list(JOIN headers "" text)
set(every_header "${CMAKE_CURRENT_BINARY_DIR}/coverage/every_header.cpp")
file(CONFIGURE OUTPUT "${every_header}" CONTENT "@text@" @ONLY)
add_library(every_header OBJECT "${every_header}")
target_compile_options(every_header PRIVATE -fkeep-inline-functions)
target_link_libraries(every_header PRIVATE sectile_tool)

# Tests that only compile, and those of other builds, run nothing of this one.
set(leave_out compiles headers install bench mutants ptx)
list(JOIN leave_out "|" leave_out)
add_custom_target(
  coverage
  COMMAND ${CMAKE_COMMAND} --build "${PROJECT_BINARY_DIR}"
  COMMAND ${CMAKE_CTEST_COMMAND} --test-dir "${PROJECT_BINARY_DIR}" --output-on-failure -LE "^(${leave_out})$"
  COMMAND
    "${SECTILE_GCOVR}" --root "${PROJECT_SOURCE_DIR}" --object-directory "${PROJECT_BINARY_DIR}" --gcov-executable
    "${SECTILE_GCOV}" --filter "${PROJECT_SOURCE_DIR}/(layouts|dsl)/" --merge-lines --exclude-noncode-lines
    --json "${PROJECT_BINARY_DIR}/coverage.json" --txt -
  USES_TERMINAL VERBATIM)
