# cmake -DPROGRAM= -DCASE= -DEXPECTATION= -P caught.cmake
# Runs one case of the gallery. It has to end with a report (exit status 3) that contains the text in the file
# EXPECTATION.
file(READ "${EXPECTATION}" expected)
execute_process(
  COMMAND "${PROGRAM}" "${CASE}"
  RESULT_VARIABLE status
  OUTPUT_VARIABLE report
  ERROR_VARIABLE report)
string(FIND "${report}" "${expected}" found)
if(status EQUAL 0)
  set(verdict "was not noticed")
elseif(NOT status EQUAL 3)
  set(verdict "ended with ${status}")
elseif(found EQUAL -1)
  set(verdict "was reported in other words")
else()
  return()
endif()
message(NOTICE "${report}")
message(NOTICE "${CASE} ${verdict}\nexpected: ${expected}")
message(FATAL_ERROR "not as expected")
