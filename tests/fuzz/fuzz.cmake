# Random expressions, descriptors and sparse matrices against brute force (seeded programs that need nothing but a
# compiler), and libFuzzer targets for what reads text and files. The tests run a small part of each; the whole:
#
#   cmake --build build --target fuzz_algebra fuzz_descriptors fuzz_expressions fuzz_sparse
#   build/tests/fuzz_algebra 1000000 SEED             expressions of the layout algebra, about 2 minutes
#   build/tests/fuzz_algebra_sanitized 300000 SEED    the same under the address and undefined-behaviour sanitizers
#   build/tests/fuzz_descriptors 1000000 SEED         descriptors, operand tiles, TMA boxes and tensors, about 1 minute
#   build/tests/fuzz_expressions 1000000 SEED         texts of expressions, about 10 seconds
#   build/tests/fuzz_sparse 100000 SEED               compress and decompress
#
#   cmake --preset clang -DSECTILE_FUZZ=ON && cmake --build build-clang
#   build-clang/tests/fuzz_notation -runs=10000000 -max_len=1024 CORPUS tests/fuzz/corpus/notation
#                                                     (and tiler, npy, shape); CORPUS is a folder for what it learns
#
# A finding of a program names its case: "fuzz_algebra 1 SEED CASE" runs that one alone.
option(SECTILE_FUZZ "Build the libFuzzer targets (clang++ with its fuzzer runtime)" OFF)

# sectile_fuzz_program(NAME SOURCE [FLAGS...]): a seeded program of fuzz/SOURCE.cpp.
function(sectile_fuzz_program name source)
  add_executable(fuzz_${name} fuzz/${source}.cpp)
  target_link_libraries(fuzz_${name} PRIVATE sectile::dsl)
  target_compile_options(fuzz_${name} PRIVATE ${ARGN})
  target_link_options(fuzz_${name} PRIVATE ${ARGN})
  sectile_own_target(fuzz_${name})
endfunction()
# sectile_fuzz_test(NAME COUNT): a test of COUNT cases.
function(sectile_fuzz_test name count)
  add_test(NAME fuzz/${name} COMMAND fuzz_${name} ${count})
  set_tests_properties(fuzz/${name} PROPERTIES LABELS fuzz)
endfunction()

# The tests run a few cases of what compiles fastest; with the sanitizers, which see more and take five times as long to
# compile, they are exhaustive. Those that go far in a minute are built where they are asked for.
foreach(subject_and_count IN ITEMS algebra=2000 descriptors=2000 expressions=5000 sparse=2000)
  string(REGEX MATCH "^(.+)=(.+)$" both "${subject_and_count}")
  set(subject ${CMAKE_MATCH_1})
  set(count ${CMAKE_MATCH_2})
  sectile_fuzz_program(${subject} ${subject} $<$<CONFIG:Release>:-O2>)
  set_target_properties(fuzz_${subject} PROPERTIES EXCLUDE_FROM_ALL ON)
  sectile_fuzz_program(${subject}_sample ${subject})
  sectile_fuzz_test(${subject}_sample ${count})
  if(SECTILE_SANITIZE)
    continue()
  endif()
  set(sanitized ${subject}_sanitized)
  sectile_fuzz_program(${sanitized} ${subject} -g1 -fsanitize=address,undefined -fno-sanitize-recover=undefined)
  set_target_properties(fuzz_${sanitized} PROPERTIES EXCLUDE_FROM_ALL ON)
  sectile_build_exhaustively(fuzz/build_${sanitized} fuzz_${sanitized} fuzz)
  add_test(NAME fuzz/${sanitized} COMMAND fuzz_${sanitized} 700 CONFIGURATIONS exhaustive)
  set_tests_properties(fuzz/${sanitized} PROPERTIES LABELS "fuzz;exhaustive" FIXTURES_REQUIRED fuzz_${sanitized})
endforeach()

if(NOT SECTILE_FUZZ)
  return()
endif()
include(CheckCXXSourceCompiles)
set(CMAKE_REQUIRED_FLAGS -fsanitize=fuzzer)
check_cxx_source_compiles("extern \"C\" int LLVMFuzzerTestOneInput(const unsigned char*, unsigned long) { return 0; }"
                          SECTILE_HAS_LIBFUZZER)
unset(CMAKE_REQUIRED_FLAGS)
if(NOT SECTILE_HAS_LIBFUZZER)
  message(FATAL_ERROR "SECTILE_FUZZ needs clang++ with its fuzzer runtime (Debian: libclang-rt-14-dev); "
                      "the compiler is ${CMAKE_CXX_COMPILER}")
endif()

# sectile_fuzz_target(NAME [SOURCES...]): a libFuzzer target, and a test that runs it for a second or two.
function(sectile_fuzz_target name)
  add_executable(fuzz_${name} fuzz/libfuzzer/${name}_fuzz.cpp ${ARGN})
  target_include_directories(fuzz_${name} PRIVATE "${PROJECT_SOURCE_DIR}")
  target_link_libraries(fuzz_${name} PRIVATE sectile::layouts fmt::fmt)
  target_compile_options(fuzz_${name} PRIVATE -O1 -g -fsanitize=fuzzer,address,undefined -fno-sanitize-recover=undefined)
  target_link_options(fuzz_${name} PRIVATE -fsanitize=fuzzer,address,undefined)
  sectile_own_target(fuzz_${name})
  set(learned "${CMAKE_CURRENT_BINARY_DIR}/fuzz_corpus/${name}")  # the first folder is where new inputs go
  file(MAKE_DIRECTORY "${learned}")
  add_test(NAME fuzz/${name} COMMAND fuzz_${name} -runs=100000 -max_len=512 -seed=1 "${learned}"
                                     "${CMAKE_CURRENT_SOURCE_DIR}/fuzz/corpus/${name}")
  set_tests_properties(fuzz/${name} PROPERTIES LABELS fuzz)
endfunction()

find_package(fmt REQUIRED)
set(tool "${PROJECT_SOURCE_DIR}/tool")
sectile_fuzz_target(notation)
sectile_fuzz_target(tiler)
sectile_fuzz_target(npy "${tool}/npy.cpp" "${tool}/npy_header.cpp" "${tool}/npy_values.cpp")
sectile_fuzz_target(shape "${tool}/args.cpp")
