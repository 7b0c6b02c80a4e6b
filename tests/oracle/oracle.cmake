# Random nested expressions against their definitions, by brute force in Python: no code is shared with layouts/. The test
# looks at some thousand; the whole, of a million, takes most of an hour, as refusals are judged by trying what there could
# be:
#
#   python3 tests/oracle/oracle.py --tool build/sectile --expressions 1000000 --refusals
find_package(Python3 3.10 QUIET COMPONENTS Interpreter)
if(NOT Python3_Interpreter_FOUND)
  message(STATUS "no Python 3: the algebra is not compared with its definitions")
  return()
endif()
foreach(part IN ITEMS oracle seeded tractable)
  add_test(NAME oracle/${part} COMMAND "${Python3_EXECUTABLE}" -B "${CMAKE_CURRENT_LIST_DIR}/${part}.py" --tool
                                       $<TARGET_FILE:sectile_cli> --expressions 12000)
  set_tests_properties(oracle/${part} PROPERTIES LABELS oracle)
endforeach()
add_test(NAME oracle/one_sided COMMAND "${Python3_EXECUTABLE}" -B "${CMAKE_CURRENT_LIST_DIR}/one_sided.py")
set_tests_properties(oracle/one_sided PROPERTIES LABELS oracle)
