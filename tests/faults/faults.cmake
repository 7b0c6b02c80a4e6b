# The gallery of faults: programs with one mistake each. A case is one file, tests/faults/NAME.cpp, and begins with
#     // fault: <the mistake, in a programmer's words>
#     // reported: <threads in which users of other systems met it>          may be missing
#     // caught: compile time | launch | model
#     // expect: <a fragment of the message>
#     // expect-clang: <a fragment>              from clang++, which prints the rule and its numbers; or: accepted
#     // expect-nvcc: <a fragment>               from nvcc; only files with this line are given to nvcc
#     // clang-lines: <a number>                 that clang++ takes, where it is more than 15
# What is caught at compile time must not compile, with these words in the first error. g++ and clang++ say it all in 15
# lines, with a line of the case among them. Under clang++ a file without a line of its own has to be refused with any
# error at all.
# What is caught later is compiled and run, and must end with a report of these words. Such a case stands in a namespace
# of its own name, as they are compiled together.
# docs/faults.md lists all of them, see table.cmake.
include("${CMAKE_CURRENT_LIST_DIR}/text_of.cmake")

if(CMAKE_CXX_COMPILER_ID MATCHES "Clang")
  set(host_compiler_kind clang)
else()
  set(host_compiler_kind host)
endif()

# sectile_expectation(NAME TEXT RESULT): writes TEXT to a file. A message may hold semicolons and brackets, which a CMake
# list would not survive.
function(sectile_expectation name fragment result)
  set(expectation "${CMAKE_CURRENT_BINARY_DIR}/expectations/${name}.txt")
  file(CONFIGURE OUTPUT "${expectation}" CONTENT "@fragment@" @ONLY)
  set(${result} "${expectation}" PARENT_SCOPE)
endfunction()

# What refused.cmake compiles is mostly refused at once, and would spend five times as long on reading what it includes
# first: fault.hpp, or what runs on the model.
sectile_precompile("${CMAKE_CURRENT_LIST_DIR}/fault.hpp" sectile_fault_header)
sectile_precompile("${CMAKE_CURRENT_LIST_DIR}/running/running.hpp" sectile_running_header)

# sectile_ahead_of(FILE RESULT): the precompiled header that holds what FILE includes first, or nothing.
function(sectile_ahead_of file result)
  set(ahead "")
  file(STRINGS "${file}" first_include REGEX "^#include" LIMIT_COUNT 1)
  if(first_include MATCHES "\"fault\\.hpp\"")
    set(ahead "${sectile_fault_header}")
  elseif(first_include MATCHES "\"running/")
    set(ahead "${sectile_running_header}")
  endif()
  set(${result} "${ahead}" PARENT_SCOPE)
endfunction()

# Where a body's function cannot be evaluated g++ 13 says so once more, behind the sentence, with the way to it.
set(host_lines 15)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_GREATER_EQUAL 13)
  set(host_lines 35)
endif()

# Some mistakes are given to clang++ where it is not the compiler of the build, but there beside it: one for each way in
# which a message comes about. One in eight of them is always, the others in the exhaustive tests.
find_program(SECTILE_CLANG NAMES clang++ clang++-19 clang++-18 clang++-17 clang++-16 clang++-15 clang++-14)
mark_as_advanced(SECTILE_CLANG)
set(given_to_clang
    accumulator_as_left_factor cast_of_integers const_scaled cute_tile_that_wgmma_cannot_read
    cute_tma_of_another_swizzle fragment_as_a_condition fragment_as_a_coordinate
    fragment_compared_with_a_coordinate fragment_element function_of_a_product loop_over_a_number_of_tiles
    loop_over_tiles_of_an_operand machine_const map_without_a_function mask_without_a_place operand_of_a_long_name
    operand_without_load packed_added product_into_a_number row_argmax_of_rows row_sum_along_an_axis
    rows_set_to_a_fragment run_time_if shapes_of_two_fragments size_without_a_mode stages_17 store_to_an_input
    swap_of_a_vector_along_k swap_of_places_in_rows tile_as_a_number tile_cast tile_of_three_names tile_of_without_sm)

# sectile_compile_case(NAME FILE KIND FRAGMENT [MOST_LINES] [CONFIGURATIONS exhaustive] [FLAGS a,b]): KIND is host, clang,
# nvcc or nvcc-launch, all of nvcc's passes; an empty FRAGMENT means "has to compile".
function(sectile_compile_case name file kind fragment)
  cmake_parse_arguments(PARSE_ARGV 4 case "" "CONFIGURATIONS;FLAGS" "")
  set(compiler "${CMAKE_CXX_COMPILER}")
  if(kind MATCHES "^nvcc")
    set(compiler "${CMAKE_CUDA_COMPILER}")
  elseif(NOT kind STREQUAL host_compiler_kind)
    set(compiler "${SECTILE_CLANG}")
  endif()
  sectile_expectation(${name} "${fragment}" expectation)
  set(limit)
  if(case_UNPARSED_ARGUMENTS)
    set(limit "MOST_LINES=${case_UNPARSED_ARGUMENTS}")
  endif()
  sectile_ahead_of("${file}" ahead)
  if(kind STREQUAL "host" AND ahead)
    list(APPEND limit "AHEAD=${ahead}")
  endif()
  if(case_FLAGS)
    list(APPEND limit "FLAGS=${case_FLAGS}")
  endif()
  if(case_CONFIGURATIONS)
    list(APPEND limit CONFIGURATIONS ${case_CONFIGURATIONS})
  endif()
  sectile_run_script(${name} faults/refused.cmake "COMPILER=${compiler}" "KIND=${kind}" "FILE=${file}"
                     "INCLUDE=${PROJECT_SOURCE_DIR}/include" "EXPECTATION=${expectation}" ${limit})
  set(labels faults compiles)
  if(case_CONFIGURATIONS)
    list(APPEND labels exhaustive)
  endif()
  set_tests_properties(${name} PROPERTIES LABELS "${labels}")
endfunction()

# sectile_refuses(NAME FILE FRAGMENT [KIND])
function(sectile_refuses name file fragment)
  set(kind ${host_compiler_kind})
  if(ARGC GREATER 3)
    set(kind ${ARGV3})
  endif()
  sectile_compile_case(${name} "${file}" ${kind} "${fragment}")
endfunction()

# sectile_refused_fault(NAME FILE): the tests of a case that must not compile.
function(sectile_refused_fault name case)
  sectile_text_of("${case}" expect text)
  sectile_text_of("${case}" expect-clang clang_text)
  sectile_text_of("${case}" expect-nvcc nvcc_text)
  sectile_text_of("${case}" clang-lines clang_lines)
  if(clang_text STREQUAL "")
    set(clang_text "error:")
  elseif(clang_text STREQUAL "accepted")
    set(clang_text "")  # it has to compile
  endif()
  if(clang_lines STREQUAL "")
    set(clang_lines 15)
  endif()
  if(host_compiler_kind STREQUAL "clang")
    sectile_compile_case(faults/${name} "${case}" clang "${clang_text}" ${clang_lines})
  else()
    # A quarter of them, by their names; all of them take six minutes of one core, and are in the exhaustive tests.
    set(when)
    sectile_sampled(${name} 4 in_sample)
    if(NOT in_sample)
      set(when CONFIGURATIONS exhaustive)
    endif()
    sectile_compile_case(faults/${name} "${case}" host "${text}" ${host_lines} ${when})
    if(SECTILE_CLANG AND name IN_LIST given_to_clang)
      set(when)
      sectile_sampled(${name} 8 in_sample)
      if(NOT in_sample)
        set(when CONFIGURATIONS exhaustive)
      endif()
      sectile_compile_case(faults/${name}.clang "${case}" clang "${clang_text}" ${clang_lines} ${when})
    endif()
  endif()
  if(SECTILE_CUDA_FOUND AND NOT nvcc_text STREQUAL "")
    # nvcc says what the host compiler says, by the same assertion, and takes ten times as long: one in twelve.
    set(when)
    set(labels "faults;compiles;slow")
    sectile_sampled(${name} 12 in_sample)
    if(NOT in_sample)
      set(when CONFIGURATIONS exhaustive)
      list(APPEND labels exhaustive)
    endif()
    sectile_compile_case(faults/${name}.nvcc "${case}" nvcc "${nvcc_text}" ${when})
    set_tests_properties(faults/${name}.nvcc PROPERTIES LABELS "${labels}")
  endif()
endfunction()

file(GLOB cases CONFIGURE_DEPENDS "${CMAKE_CURRENT_LIST_DIR}/*.cpp")
set(run_cases)
set(launch_cases)
set(model_cases)
foreach(case IN LISTS cases)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${case}")
  cmake_path(GET case STEM name)
  foreach(tag IN ITEMS fault caught expect)
    sectile_text_of("${case}" ${tag} text_of_${tag})
    if(text_of_${tag} STREQUAL "")
      message(FATAL_ERROR "${case}: the first lines must hold '// ${tag}: ...'")
    endif()
  endforeach()
  if(text_of_caught STREQUAL "compile time")
    sectile_refused_fault(${name} "${case}")
  elseif(text_of_caught MATCHES "^(launch|model)$")
    list(APPEND run_cases "${case}")
    list(APPEND ${text_of_caught}_cases "${case}")
    sectile_expectation(faults/${name} "${text_of_expect}" expectation)
    sectile_run_script(faults/${name} faults/caught.cmake "PROGRAM=$<TARGET_FILE:faults>" "CASE=${name}"
                       "EXPECTATION=${expectation}")
    set_tests_properties(faults/${name} PROPERTIES LABELS faults)
  else()
    message(FATAL_ERROR "${case}: a fault is caught at 'compile time', 'launch' or by the 'model'")
  endif()
endforeach()

# What is caught when it runs: one program that is told which case to run.
set(control "${CMAKE_CURRENT_LIST_DIR}/control")
# They are compiled as two, because what they spoil is the same, and few of the kernels are proven to be right until they
# run. All are in the exhaustive tests.
set(run_sources "${CMAKE_CURRENT_LIST_DIR}/running/main.cpp" "${control}/not_noticed.cpp" ${run_cases})
add_executable(faults ${run_sources})
add_executable(faults_exhaustive EXCLUDE_FROM_ALL ${run_sources})
foreach(target IN ITEMS faults faults_exhaustive)
  target_include_directories(${target} PRIVATE "${CMAKE_CURRENT_LIST_DIR}")
  target_link_libraries(${target} PRIVATE sectile::kernels sectile::model)
  sectile_own_target(${target})
  sectile_compile_together(${target} launch ${launch_cases})
  sectile_compile_together(${target} model "${control}/not_noticed.cpp" ${model_cases})
endforeach()
target_compile_options(faults PRIVATE ${proven_in_part})
add_test(NAME faults/all_are_proven COMMAND ${CMAKE_COMMAND} --build "${PROJECT_BINARY_DIR}" --target faults_exhaustive
         CONFIGURATIONS exhaustive)
set_tests_properties(faults/all_are_proven PROPERTIES LABELS "faults;exhaustive" RESOURCE_LOCK ninja)

# sectile_add_kernel() lets the host compiler say no before nvcc starts.
if(SECTILE_CUDA_FOUND)
  set(folder "${CMAKE_CURRENT_LIST_DIR}/host_check")
  sectile_run_script(
    faults/host_check_stops_nvcc faults/host_check/stops_nvcc.cmake "SOURCE=${folder}/project"
    "BUILD=${PROJECT_BINARY_DIR}/refused-project" "GENERATOR=${CMAKE_GENERATOR}" "PREFIX=${PROJECT_BINARY_DIR}/installed"
    "CXX=${CMAKE_CXX_COMPILER}" "CUDA=${CMAKE_CUDA_COMPILER}"
    "FLAGS=$<$<BOOL:${SECTILE_SANITIZE}>:-fsanitize=address,undefined>")
  set_tests_properties(faults/host_check_stops_nvcc PROPERTIES FIXTURES_REQUIRED installed LABELS "faults;slow")
endif()

# nvcc leaves a call of a host's function out without a word. The host's compiler, which is the last to read the file,
# says so.
if(SECTILE_CUDA_FOUND AND host_compiler_kind STREQUAL "host")
  sectile_compile_case(faults/host_function_launched "${control}/host_function_launched.cpp" nvcc-launch
                       "a map(), mask() or reduction is given a function for the host alone")
endif()

# The table of all cases.
sectile_run_script(faults/table faults/table.cmake "CASES=${CMAKE_CURRENT_LIST_DIR}"
                   "TABLE=${PROJECT_SOURCE_DIR}/docs/faults.md")
set_tests_properties(faults/table PROPERTIES LABELS faults)

# The harness itself has to be able to say no: to a case that compiles, to one refused with other words or in too many, to
# one that runs unnoticed. And what the cases spoil has to be right.
sectile_compile_case(faults/control/good_code_compiles "${control}/good.cpp" ${host_compiler_kind} "")
sectile_compile_case(faults/control/what_is_spoilt_is_right "${control}/bases.cpp" ${host_compiler_kind} "")
set(said_of_the_sample "of shared memory, a CTA has")
if(host_compiler_kind STREQUAL "clang")
  set(said_of_the_sample "stages_do_not_fit_in_shared_memory")
endif()
sectile_refuses(faults/control/a_sample_is_proven "${control}/sample_is_proven.cpp" "${said_of_the_sample}")
sectile_compile_case(faults/control/the_others_are_not "${control}/others_are_not.cpp" ${host_compiler_kind} "")
sectile_refuses(faults/control/good_code_is_not_refused "${control}/good.cpp" "a message")
sectile_refuses(faults/control/other_words_are_noticed "${control}/bad.cpp" "a message that no compiler prints")
sectile_refuses(faults/control/a_missing_header_is_noticed "${control}/missing_header.cpp" "sectile/no_such_header")
set(said_good_code_is_not_refused "was accepted")
set(said_other_words_are_noticed "refused in other words")
set(said_a_missing_header_is_noticed "a header is missing")
if(host_compiler_kind STREQUAL "host")
  sectile_compile_case(faults/control/too_many_lines_are_noticed "${control}/bad.cpp" host "a char is one byte" 2)
  set(said_too_many_lines_are_noticed "lines, not 2 or less")
  sectile_compile_case(faults/control/a_foreign_line_is_noticed "${control}/bad_header.cpp" host "a char is one byte" 15)
  set(said_a_foreign_line_is_noticed "without naming a line of it")
endif()
sectile_expectation(faults/control/not_noticed "a message" expectation)
sectile_run_script(faults/control/an_unnoticed_run faults/caught.cmake "PROGRAM=$<TARGET_FILE:faults>" "CASE=not_noticed"
                   "EXPECTATION=${expectation}")
set(said_an_unnoticed_run "was not noticed")
sectile_run_script(faults/control/an_unknown_case faults/caught.cmake "PROGRAM=$<TARGET_FILE:faults>" "CASE=unknown"
                   "EXPECTATION=${expectation}")
set(said_an_unknown_case "ended with 2")
foreach(test IN ITEMS good_code_is_not_refused other_words_are_noticed a_missing_header_is_noticed
                      too_many_lines_are_noticed a_foreign_line_is_noticed an_unnoticed_run an_unknown_case)
  if(TEST faults/control/${test})
    set_tests_properties(faults/control/${test} PROPERTIES PASS_REGULAR_EXPRESSION "${said_${test}}")
    set_property(TEST faults/control/${test} APPEND PROPERTY LABELS faults)
  endif()
endforeach()
