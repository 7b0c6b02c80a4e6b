# cmake -DKERNEL= -DHEADER= -DFOLDER= -DINCLUDE= -DAHEAD= -DROOT= -DCOMPILER= -DLIBRARIES= -DFLAGS= -P try_mutant.cmake
# Compiles program.cpp with one place of <sectile/HEADER> changed, from the text in FOLDER/from to that in FOLDER/to, and
# runs it: the model has to report a hazard with the text in FOLDER/expected; nothing, if that is empty.
file(READ "${FOLDER}/from" from)
file(READ "${FOLDER}/to" to)
file(READ "${FOLDER}/expected" expected)
file(READ "${INCLUDE}/sectile/${HEADER}" right)
string(FIND "${right}" "${from}" place)
if(place EQUAL -1)
  message(FATAL_ERROR "${HEADER} does not contain: ${from}")
endif()
string(REPLACE "${from}" "${to}" wrong "${right}")
file(WRITE "${FOLDER}/sectile/${HEADER}" "${wrong}")  # found before the right one

string(REPLACE "," ";" libraries "${LIBRARIES}")
execute_process(
  COMMAND "${COMPILER}" -std=c++20 ${FLAGS} -DSECTILE_PROVEN -DKERNEL=${KERNEL} -include "${AHEAD}" "-I${FOLDER}" "-I${INCLUDE}" "-I${ROOT}"
          "${ROOT}/tests/mutants/program.cpp" ${libraries} -o "${FOLDER}/program"
  RESULT_VARIABLE status
  OUTPUT_VARIABLE messages
  ERROR_VARIABLE messages)
if(NOT status EQUAL 0)
  message(FATAL_ERROR "does not compile:\n${messages}")
endif()
execute_process(
  COMMAND "${FOLDER}/program"
  RESULT_VARIABLE status
  OUTPUT_VARIABLE report
  ERROR_VARIABLE report)
file(REMOVE "${FOLDER}/program")
string(FIND "${report}" "${expected}" found)
if(expected STREQUAL "")
  if(NOT status EQUAL 0)
    message(FATAL_ERROR "what is right is not taken to be:\n${report}")
  endif()
elseif(NOT status EQUAL 3 OR found EQUAL -1)
  message(FATAL_ERROR "ended with ${status}, expected: ${expected}\n${report}")
endif()
