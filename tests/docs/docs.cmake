# The documents are kept true: the fenced blocks of README.md and of the documents listed at the end are compiled, run and
# compared. What is done with a block stands behind its opening fence:
#
#     cpp               a translation unit of its own, or, without an #include, what stands behind prelude.hpp: compiles
#     cpp body          statements of the body in running_kernel.hpp.in: compile, and the kernel is verified
#     cpp run           a program: compiles and exits with 0
#     cpp refused       does not compile (also: cpp body refused); the next text block's first line is in the messages
#     cpp ignore        nothing
#     cuda              a translation unit for nvcc: compiles, where there is nvcc
#     text output       what the program above it prints
#     console           commands behind "$ " with their output; those of `sectile` are run
#     ... file=NAME     also written to a folder for the document, as NAME; with a CMakeLists.txt among them, the folder
#                       is a project that finds the installed package, is built, and passes its own tests. A .cu also
#                       compiles with nvcc, where there is nvcc
#
# Blocks of a document that have to compile and no more are compiled as one, in a namespace each, with one kernel in
# 16 proven, and each alone in the exhaustive tests. In output, a line "..." stands for any number of lines. In the
# table below the line "<!-- messages -->" every second cell is a message of the compiler, and has to be expected by a
# case in tests/faults.
set(proven_in_documents -DSECTILE_PROVE_ONE_IN=16)

set(docs_dir "${CMAKE_CURRENT_BINARY_DIR}/docs")
if(ahead_ahead)
  sectile_precompile("${CMAKE_CURRENT_LIST_DIR}/prelude.hpp" sectile_docs_prelude "-std=c++20"
                     "-std=c++20 ${proven_in_documents}" "${as_tests_are} -O0")
  sectile_precompile("${CMAKE_CURRENT_LIST_DIR}/program.hpp" sectile_docs_program "${as_tests_are} -O0")
else()
  sectile_precompile("${CMAKE_CURRENT_LIST_DIR}/prelude.hpp" sectile_docs_prelude)
  set(sectile_docs_program_ahead "")
endif()

function(sectile_write_if_different file text)
  if(EXISTS "${file}")
    file(READ "${file}" old)
    if("${old}" STREQUAL "${text}")
      return()
    endif()
  endif()
  file(WRITE "${file}" "${text}")
endfunction()

# sectile_docs_test(NAME): the properties that all tests here share.
function(sectile_docs_test name)
  set_tests_properties(${name} PROPERTIES LABELS docs)
endfunction()

# The source of a block of C++: its own text behind what it takes for granted. LINE is that of the opening fence.
function(sectile_docs_source document line words code result)
  set(at "#line ${line} \"${document}\"")
  if("body" IN_LIST words)
    file(READ "${PROJECT_SOURCE_DIR}/tests/docs/running_kernel.hpp.in" around)
    string(REPLACE "@BLOCK@" "\n${at}${code}" source "#include \"${sectile_docs_prelude}\"\n${around}")
  elseif("${code}" MATCHES "\n#include ")
    set(source "${at}${code}")
  else()
    set(source "#include \"${sectile_docs_prelude}\"\n${at}${code}")
  endif()
  set(${result} "${source}" PARENT_SCOPE)
endfunction()

# sectile_docs_compiled_together(ORDINAL SOURCE): adds a block to `unit`, or to `unit_of_bodies`, and to `unit_includes`,
# what its document's blocks are compiled as. One that adds to the library's namespace cannot stand in another.
macro(sectile_docs_compiled_together ordinal source)
  string(REGEX MATCHALL "#include [<\"][^>\"\n]+[>\"]" included "${source}")
  list(APPEND unit_includes ${included})
  string(REGEX REPLACE "#include [^\n]*" "" without "${source}")
  if("body" IN_LIST words)
    string(APPEND unit_of_bodies "namespace block_${ordinal} {\n${without}\n}\n")
  else()
    string(APPEND unit "namespace block_${ordinal} {\n${without}\n}\n")
  endif()
endmacro()

# One block. NAME is that of its test, STEM that of its files. Also reads `file`, `next_output`, `next_text` and
# `each_alone`.
function(sectile_docs_block name stem document line info code)
  string(REPLACE " " ";" words "${info}")
  list(POP_FRONT words language)
  if(NOT language MATCHES "^(cpp|cuda|console)$" OR "ignore" IN_LIST words)
    return()
  endif()

  if(language STREQUAL "console")
    sectile_write_if_different("${stem}.txt" "${code}")
    sectile_run_script(${name} docs/run_console.cmake "TOOL=$<TARGET_FILE:sectile_cli>" "COMMANDS=${stem}.txt")
    sectile_docs_test(${name})
    return()
  endif()

  sectile_docs_source("${document}" ${line} "${words}" "${code}" source)
  sectile_write_if_different("${stem}.cpp" "${source}")
  if(SECTILE_CUDA_FOUND AND (language STREQUAL "cuda" OR file MATCHES "\\.cu$"))
    # nvcc takes its time: here it compiles what is part of a project, with the project, and the others in the exhaustive
    # tests. The host compiler sees all but "cuda".
    sectile_compile_case(${name}.nvcc "${stem}.cpp" nvcc "" CONFIGURATIONS exhaustive)
    set_tests_properties(${name}.nvcc PROPERTIES LABELS "docs;exhaustive")
  endif()
  if(language STREQUAL "cuda")
    return()
  elseif("refused" IN_LIST words)
    if(next_text STREQUAL "")
      message(FATAL_ERROR "${document}:${line}: a refused block needs a text block behind it with the message")
    endif()
    set(expected "${next_text}")
    if(host_compiler_kind STREQUAL "clang")
      set(expected "error:")
    endif()
    sectile_refuses(${name} "${stem}.cpp" "${expected}")
    sectile_docs_test(${name})
  elseif("run" IN_LIST words)
    string(MAKE_C_IDENTIFIER "${name}" target)
    add_executable(${target} "${stem}.cpp")
    target_link_libraries(${target} PRIVATE sectile::kernels sectile::model)
    sectile_own_target(${target})
    # What defines something may say with it how what it includes is read.
    if(sectile_docs_program_ahead AND "${code}" MATCHES "#include <sectile/(dsl/launch|kernels|dsl/tell)" AND
       NOT "${code}" MATCHES "#define")
      target_compile_options(${target} PRIVATE "SHELL:-include ${sectile_docs_program}")
      set_source_files_properties("${stem}.cpp" PROPERTIES OBJECT_DEPENDS "${sectile_docs_program_ahead}")
      sectile_compile_case(${name}/alone "${stem}.cpp" ${host_compiler_kind} "" CONFIGURATIONS exhaustive)
      set_tests_properties(${name}/alone PROPERTIES LABELS "docs;exhaustive")
    endif()
    sectile_write_if_different("${stem}.txt" "${next_output}")
    sectile_run_script(${name} docs/run_program.cmake "PROGRAM=$<TARGET_FILE:${target}>" "EXPECTED=${stem}.txt")
    sectile_docs_test(${name})
  elseif(each_alone OR "${code}" MATCHES "\nnamespace sectile|(sectile|st)::[a-z_]+<[^\n;]*> *({|=)")
    sectile_compile_case(${name} "${stem}.cpp" ${host_compiler_kind} "")
    sectile_docs_test(${name})
  else()
    sectile_docs_compiled_together(${ordinal} "${source}")
    set(unit "${unit}" PARENT_SCOPE)
    set(unit_of_bodies "${unit_of_bodies}" PARENT_SCOPE)
    set(unit_includes "${unit_includes}" PARENT_SCOPE)
    sectile_compile_case(${name} "${stem}.cpp" ${host_compiler_kind} "" CONFIGURATIONS exhaustive)
    set_tests_properties(${name} PROPERTIES LABELS "docs;exhaustive")
  endif()
endfunction()

# What the block behind the current one says: its output if it is `text output`, its first line if it is `text`.
function(sectile_docs_peek rest output first_line)
  set(${output} "" PARENT_SCOPE)
  set(${first_line} "" PARENT_SCOPE)
  string(FIND "${rest}" "\n```" open)
  if(open EQUAL -1)
    return()
  endif()
  math(EXPR open "${open} + 4")
  string(SUBSTRING "${rest}" ${open} -1 rest)
  string(FIND "${rest}" "\n" end)
  string(SUBSTRING "${rest}" 0 ${end} info)
  string(SUBSTRING "${rest}" ${end} -1 rest)
  string(FIND "${rest}" "\n```" close)
  string(SUBSTRING "${rest}" 0 ${close} text)
  if(info STREQUAL "text output")
    set(${output} "${text}\n" PARENT_SCOPE)
  elseif(info STREQUAL "text" AND text MATCHES "^\n([^\n]+)")
    set(${first_line} "${CMAKE_MATCH_1}" PARENT_SCOPE)
  endif()
endfunction()

# sectile_check_document(FILE [EACH_ALONE]): a test for every block, and one of those that are compiled together.
function(sectile_check_document document)
  cmake_parse_arguments(PARSE_ARGV 1 "" "EACH_ALONE" "" "")
  set(each_alone ${_EACH_ALONE})
  set(unit "")
  set(unit_of_bodies "")
  set(unit_includes "")
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${document}")
  cmake_path(RELATIVE_PATH document BASE_DIRECTORY "${PROJECT_SOURCE_DIR}" OUTPUT_VARIABLE title)
  string(REGEX REPLACE "^(tests/)?docs/|\\.md$" "" title "${title}")  # course/07-tma, language, README
  file(READ "${document}" rest)
  set(rest "\n${rest}")
  set(line 0)
  set(number 100)
  while(TRUE)
    string(FIND "${rest}" "\n```" open)
    if(open EQUAL -1)
      break()
    endif()
    # Up to the info string ...
    math(EXPR open "${open} + 4")
    string(SUBSTRING "${rest}" 0 ${open} passed)
    string(SUBSTRING "${rest}" ${open} -1 rest)
    string(REGEX MATCHALL "\n" breaks "${passed}")
    list(LENGTH breaks count)
    math(EXPR line "${line} + ${count}")
    string(FIND "${rest}" "\n" end)
    string(SUBSTRING "${rest}" 0 ${end} info)
    string(SUBSTRING "${rest}" ${end} -1 rest)
    # ... and up to the closing fence. The text begins with the line break behind the info string.
    string(FIND "${rest}" "\n```" close)
    if(close EQUAL -1)
      message(FATAL_ERROR "${document}:${line}: the block is never closed")
    endif()
    string(SUBSTRING "${rest}" 0 ${close} code)
    string(APPEND code "\n")
    string(REGEX MATCHALL "\n" breaks "${code}")
    list(LENGTH breaks count)
    math(EXPR line_behind "${line} + ${count}")
    math(EXPR close "${close} + 4")
    string(SUBSTRING "${rest}" ${close} -1 rest)

    sectile_docs_peek("${rest}" next_output next_text)
    math(EXPR number "${number} + 1")
    string(SUBSTRING "${number}" 1 -1 ordinal)
    set(file "")
    if(info MATCHES " file=([^ ]+)")
      set(file "${CMAKE_MATCH_1}")
      string(SUBSTRING "${code}" 1 -1 content)
      sectile_write_if_different("${docs_dir}/${title}-project/${file}" "${content}")
      string(REGEX REPLACE " file=[^ ]+" "" info "${info}")
    endif()
    sectile_docs_block(docs/${title}/${ordinal} "${docs_dir}/${title}/${ordinal}" "${document}" ${line} "${info}"
                       "${code}")
    set(line ${line_behind})
  endwhile()

  list(REMOVE_DUPLICATES unit_includes)
  list(FILTER unit_includes EXCLUDE REGEX "/prelude\\.hpp\"$")
  list(JOIN unit_includes "\n" includes)
  foreach(blocks IN ITEMS unit unit_of_bodies)
    if("${${blocks}}" STREQUAL "")
      continue()
    endif()
    string(REPLACE "unit" "blocks" test ${blocks})
    sectile_write_if_different("${docs_dir}/${title}/${test}.cpp"
                               "#include \"${sectile_docs_prelude}\"\n${includes}\n${${blocks}}")
    sectile_compile_case(docs/${title}/${test} "${docs_dir}/${title}/${test}.cpp" ${host_compiler_kind} ""
                         FLAGS "${proven_in_documents}")
    sectile_docs_test(docs/${title}/${test})
  endforeach()
  if(EXISTS "${docs_dir}/${title}-project/CMakeLists.txt")
    # nvcc compiles a project's kernel in install/outside_project, and that of a document in the exhaustive tests.
    sectile_build_outside(docs/${title}/project "${docs_dir}/${title}-project" "${docs_dir}/${title}-project-build" OFF)
    if(SECTILE_CUDA_FOUND)
      sectile_build_outside(docs/${title}/project.nvcc "${docs_dir}/${title}-project"
                            "${docs_dir}/${title}-project-build-nvcc" "${SECTILE_CUDA}" CONFIGURATIONS exhaustive)
      set_property(TEST docs/${title}/project.nvcc APPEND PROPERTY LABELS exhaustive)
    endif()
  endif()
endfunction()

# sectile_build_outside(NAME SOURCE BUILD CUDA [CONFIGURATIONS exhaustive]): the project in SOURCE as somebody else would
# build it, with the package that install/lay_down has installed, and SECTILE_CUDA as given.
function(sectile_build_outside name source build cuda)
  add_test(
    NAME ${name} ${ARGN}
    COMMAND
      ${CMAKE_CTEST_COMMAND} --build-and-test "${source}" "${build}" --build-generator "${CMAKE_GENERATOR}"
      --build-options "-DCMAKE_PREFIX_PATH=${PROJECT_BINARY_DIR}/installed" "-DCMAKE_CXX_COMPILER=${CMAKE_CXX_COMPILER}"
      "-DCMAKE_CXX_FLAGS=$<$<BOOL:${SECTILE_SANITIZE}>:-fsanitize=address,undefined>" "-DSECTILE_CUDA=${cuda}"
      --test-command ${CMAKE_CTEST_COMMAND} --output-on-failure --no-tests=error)
  set_tests_properties(${name} PROPERTIES FIXTURES_REQUIRED installed LABELS "docs;install")
endfunction()

# Those written by hand, and the course, the chapters and the how-tos, which docs/generator makes from docs/source.
file(GLOB generated CONFIGURE_DEPENDS RELATIVE "${PROJECT_SOURCE_DIR}" "${PROJECT_SOURCE_DIR}/docs/*/*.md")
foreach(document IN ITEMS README.md docs/language.md docs/debugging.md docs/design.md docs/layouts.md LISTS generated)
  sectile_check_document("${PROJECT_SOURCE_DIR}/${document}")
endforeach()

# Messages in the table of mistakes: those of cases that are refused with these words.
set(known_messages "${PROJECT_SOURCE_DIR}/tests/faults")
sectile_run_script(docs/language/messages docs/check_messages.cmake
                   "DOCUMENT=${PROJECT_SOURCE_DIR}/docs/language.md" "CASES=${known_messages}")
sectile_docs_test(docs/language/messages)

# The harness itself has to be able to say no.
set(control "${CMAKE_CURRENT_LIST_DIR}/control")
sectile_check_document("${control}/wrong.md" EACH_ALONE)
sectile_run_script(docs/control/wrong/messages docs/check_messages.cmake "DOCUMENT=${control}/wrong.md"
                   "CASES=${known_messages}")
sectile_docs_test(docs/control/wrong/messages)
set(said_01 "has to compile, but was refused")
set(said_02 "has to compile, but was refused")
set(said_03 "exited with 3")
set(said_04 "printed something else")
set(said_06 "printed something else")
set(said_07 "was accepted")
set(said_messages "no case expects")
foreach(test IN ITEMS 01 02 03 04 06 07 messages)
  set_tests_properties(docs/control/wrong/${test} PROPERTIES PASS_REGULAR_EXPRESSION "${said_${test}}")
endforeach()

# How many proofs there are is said as the code has them.
sectile_run_script(docs/counts docs/counts.cmake "ROOT=${PROJECT_SOURCE_DIR}")
sectile_docs_test(docs/counts)
