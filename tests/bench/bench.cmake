# The parts of the benchmarks that need no GPU: what `python3 bench/peers` makes of its arguments, of peers that are not
# there, and of times, how a library of products or attentions is reached, which numbers bench/groups.py gives to its
# own, what bench/comparison.py says of a compiler or a library that is not there, what bench/machine_code.py reads
# and keeps, which compiles a kernel where there are nvcc and cuobjdump, and what bench/account.py makes of ncu's reports.
find_package(Python3 3.10 QUIET COMPONENTS Interpreter)
if(NOT Python3_Interpreter_FOUND)
  message(STATUS "Sectile: bench/peers is not tested: that needs Python 3.10 or newer")
  return()
endif()
add_library(test_peer SHARED "${CMAKE_CURRENT_LIST_DIR}/peer_of_tests.cpp"
                             "${PROJECT_SOURCE_DIR}/bench/peers/c_interface.cpp")
target_include_directories(test_peer PRIVATE "${PROJECT_SOURCE_DIR}")
target_compile_features(test_peer PRIVATE cxx_std_20)
sectile_own_target(test_peer)
add_library(test_attentions SHARED "${CMAKE_CURRENT_LIST_DIR}/attentions_of_tests.cpp"
                                   "${PROJECT_SOURCE_DIR}/bench/peers/attentions.cpp")
target_include_directories(test_attentions PRIVATE "${PROJECT_SOURCE_DIR}")
target_compile_features(test_attentions PRIVATE cxx_std_20)
sectile_own_target(test_attentions)
foreach(part IN ITEMS problems command_line contestants measure report race library attentions attention_e4m3 groups comparison machine_code account)
  add_test(NAME bench/${part} COMMAND "${Python3_EXECUTABLE}" -B "${CMAKE_CURRENT_LIST_DIR}/test_${part}.py")
  set_tests_properties(bench/${part} PROPERTIES LABELS bench ENVIRONMENT
                                            "PEER=$<TARGET_FILE:test_peer>;ATTENTIONS=$<TARGET_FILE:test_attentions>")
endforeach()
