# cmake -DPROGRAM= -DEXPECTED= -P run_program.cmake
# Runs PROGRAM. It has to exit with 0 and, if the file EXPECTED is not empty, print what it holds.
cmake_minimum_required(VERSION 3.25)
include("${CMAKE_CURRENT_LIST_DIR}/kit.cmake")

execute_process(COMMAND "${PROGRAM}" RESULT_VARIABLE status OUTPUT_VARIABLE printed ERROR_VARIABLE complaints)
file(READ "${EXPECTED}" expected)
set(same TRUE)
if(NOT expected STREQUAL "")
  same_output("${printed}" "${expected}" same)
endif()
message(NOTICE "${printed}${complaints}")
if(NOT status EQUAL 0)
  reject("${PROGRAM} exited with ${status}")
elseif(NOT same)
  message(NOTICE "but the document says:${expected}")
  reject("${PROGRAM} printed something else")
endif()
