# SPIN as a witness of the protocol's proof: docs/protocol.md. Where there is no SPIN (Debian: spin) the tests say so and
# are skipped. The whole, which takes hours and is no test:
#
#   build/tests/spin_witness_exhaustive spin tcc FOLDER kernels   every kernel of the tool (-DSECTILE_TOOL_PROTOCOLS=all),
#                                                                 as far as SPIN holds it
#   build/tests/spin_witness_exhaustive spin tcc FOLDER faults    every seeded fault; `faults 50`: every 50th;
#                                                                 `faults 50 2`: the second of 50 parts of all
find_program(SECTILE_SPIN spin)
mark_as_advanced(SECTILE_SPIN)
set(spin "${SECTILE_SPIN}")
if(NOT spin)
  set(spin spin)
endif()

# spin_witness_exhaustive has all of the kernels that are spoilt, spin_witness some of them.
set(spin_sources spin/program.cpp spin/ask.cpp spin/kernels.cpp spin/walked_kernel.cpp spin/faults.cpp)
add_executable(spin_witness ${spin_sources})
add_executable(spin_witness_exhaustive EXCLUDE_FROM_ALL ${spin_sources})
target_compile_definitions(spin_witness_exhaustive PRIVATE SECTILE_EXHAUSTIVELY)
foreach(target IN ITEMS spin_witness spin_witness_exhaustive)
  target_link_libraries(${target} PRIVATE sectile_tool doctest::doctest)
  sectile_own_target(${target})
  sectile_compile_together(${target} asking spin/program.cpp spin/ask.cpp spin/kernels.cpp)
endforeach()
# The kernels of all_orders stand beside what doctest checks of them, of which nothing is used here.
set_source_files_properties(spin/faults.cpp spin/walked_kernel.cpp PROPERTIES COMPILE_DEFINITIONS DOCTEST_CONFIG_DISABLE)
add_test(NAME spin/sample COMMAND spin_witness "${spin}" cc "${CMAKE_CURRENT_BINARY_DIR}/spin" sample)
set_tests_properties(spin/sample PROPERTIES SKIP_RETURN_CODE 77)
# As much again, of a protocol that is simpler and of other mistakes.
sectile_build_exhaustively(spin/build_exhaustive spin_witness_exhaustive spin)
add_test(NAME spin/more_kernels
         COMMAND spin_witness_exhaustive "${spin}" cc "${CMAKE_CURRENT_BINARY_DIR}/spin_more_kernels" kernels softmax_bf16
         CONFIGURATIONS exhaustive)
add_test(NAME spin/more_faults
         COMMAND spin_witness_exhaustive "${spin}" cc "${CMAKE_CURRENT_BINARY_DIR}/spin_more_faults" faults 1499
         CONFIGURATIONS exhaustive)
set_tests_properties(spin/more_kernels spin/more_faults
                     PROPERTIES LABELS "spin;exhaustive" SKIP_RETURN_CODE 77 FIXTURES_REQUIRED spin_witness_exhaustive)
# What is wrong with its arguments it says in one sentence.
add_test(NAME spin/missing COMMAND spin_witness no-such-spin cc "${CMAKE_CURRENT_BINARY_DIR}/spin_missing" sample)
set_tests_properties(spin/missing PROPERTIES PASS_REGULAR_EXPRESSION "^skipped: there is no SPIN \\(Debian: spin\\)\n$")
add_test(NAME spin/words COMMAND spin_witness "${spin}" cc "${CMAKE_CURRENT_BINARY_DIR}/spin_words" guess)
set_tests_properties(spin/words PROPERTIES PASS_REGULAR_EXPRESSION
                                           "^spin_witness: 'guess' is none of kernels, growth, faults and sample\n$|no SPIN")
add_test(NAME spin/part COMMAND spin_witness "${spin}" cc "${CMAKE_CURRENT_BINARY_DIR}/spin_part" faults 3 4)
set_tests_properties(spin/part PROPERTIES PASS_REGULAR_EXPRESSION
                                          "^spin_witness: there is no part 4 of 3\n$|no SPIN")
add_test(NAME spin/kernel COMMAND spin_witness "${spin}" cc "${CMAKE_CURRENT_BINARY_DIR}/spin_kernel" kernels gemm_bf61)
set_tests_properties(spin/kernel PROPERTIES PASS_REGULAR_EXPRESSION
                                            "^spin_witness: there is no kernel 'gemm_bf61'|no SPIN")
set_tests_properties(spin/sample spin/missing spin/words spin/part spin/kernel PROPERTIES LABELS spin)
