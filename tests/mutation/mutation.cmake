# Mutants of the library, and who notices them: a program of its own, since each takes half a minute,
#
#   python3 tests/mutation/mutation.py --build build --count 200 --jobs 8 --minutes 60
#
# The tests are of the program. A sample of mutants that the model has to notice is tests/mutants.
find_package(Python3 3.10 QUIET COMPONENTS Interpreter)
if(Python3_Interpreter_FOUND)
  add_test(NAME mutation/program COMMAND "${Python3_EXECUTABLE}" -B "${CMAKE_CURRENT_LIST_DIR}/test_mutation.py")
  set_tests_properties(mutation/program PROPERTIES LABELS mutants)
endif()
