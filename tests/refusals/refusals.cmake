# What must not compile, and what the compiler must say. A case is one file, tests/refusals/NAME.cpp; its first lines
# hold what is expected:
#     // expect: <a fragment of the message>           from g++ (and every host compiler without a line of its own)
#     // expect-clang: <a fragment>                    from clang++, which prints structural values in another way
#     // expect-nvcc: <a fragment>                     from nvcc; only files with this line are given to nvcc
# The case passes only if the compilation fails and the compiler's messages contain the fragment. Under clang++ a file
# without a line of its own has to be refused with any error at all: the text is g++'s to show.

if(CMAKE_CXX_COMPILER_ID MATCHES "Clang")
  set(host_compiler_kind clang)
else()
  set(host_compiler_kind host)
endif()

# sectile_compile_case(NAME FILE KIND FRAGMENT): KIND is host, clang or nvcc; an empty FRAGMENT means "has to compile".
function(sectile_compile_case name file kind fragment)
  set(compiler "${CMAKE_CXX_COMPILER}")
  if(kind STREQUAL "nvcc")
    set(compiler "${CMAKE_CUDA_COMPILER}")
  endif()
  # By way of a file: a message may hold semicolons and brackets, which a CMake list would not survive.
  set(expectation "${CMAKE_CURRENT_BINARY_DIR}/expectations/${name}.txt")
  file(CONFIGURE OUTPUT "${expectation}" CONTENT "@fragment@" @ONLY)
  sectile_run_script(${name} refusals/run_refusal.cmake "COMPILER=${compiler}" "KIND=${kind}" "FILE=${file}"
                     "INCLUDE=${PROJECT_BINARY_DIR}/include" "EXPECTATION=${expectation}")
  set_tests_properties(${name} PROPERTIES LABELS refusals TIMEOUT 120)
endfunction()

# sectile_refuses(NAME FILE FRAGMENT [KIND])
function(sectile_refuses name file fragment)
  set(kind ${host_compiler_kind})
  if(ARGC GREATER 3)
    set(kind ${ARGV3})
  endif()
  sectile_compile_case(${name} "${file}" ${kind} "${fragment}")
endfunction()

# The text behind `// TAG: ` in a line of FILE, or nothing.
function(sectile_expected_text file tag result)
  file(READ "${file}" content LIMIT 4096)
  if("\n${content}" MATCHES "\n// ${tag}: +([^\n]*[^\n ])")
    set(${result} "${CMAKE_MATCH_1}" PARENT_SCOPE)
  else()
    set(${result} "" PARENT_SCOPE)
  endif()
endfunction()

file(GLOB cases CONFIGURE_DEPENDS "${CMAKE_CURRENT_LIST_DIR}/*.cpp")
foreach(case IN LISTS cases)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${case}")
  cmake_path(GET case STEM name)
  sectile_expected_text("${case}" expect text)
  sectile_expected_text("${case}" expect-clang clang_text)
  sectile_expected_text("${case}" expect-nvcc nvcc_text)
  if(text STREQUAL "")
    message(FATAL_ERROR "${case}: the first lines must hold '// expect: <a fragment of the message>'")
  endif()
  if(host_compiler_kind STREQUAL "clang" AND clang_text STREQUAL "")
    set(text "error:")
  elseif(host_compiler_kind STREQUAL "clang")
    set(text "${clang_text}")
  endif()
  sectile_refuses(refusals/${name} "${case}" "${text}")
  if(SECTILE_CUDA_FOUND AND NOT nvcc_text STREQUAL "")
    sectile_refuses(refusals/${name}.nvcc "${case}" "${nvcc_text}" nvcc)
    set_property(TEST refusals/${name}.nvcc APPEND PROPERTY LABELS slow)
  endif()
endforeach()

# The harness itself has to be able to say no: to a case that compiles, and to one refused with other words.
set(control "${CMAKE_CURRENT_LIST_DIR}/control")
sectile_compile_case(refusals/control/good_code_compiles "${control}/good.cpp" ${host_compiler_kind} "")
sectile_refuses(refusals/control/good_code_is_not_refused "${control}/good.cpp" "a message")
set_tests_properties(refusals/control/good_code_is_not_refused PROPERTIES PASS_REGULAR_EXPRESSION "was accepted")
sectile_refuses(refusals/control/other_words_are_noticed "${control}/bad.cpp" "a message that no compiler prints")
set_tests_properties(refusals/control/other_words_are_noticed PROPERTIES PASS_REGULAR_EXPRESSION
                                                                         "refused in other words")
sectile_refuses(refusals/control/a_missing_header_is_noticed "${control}/missing_header.cpp" "sectile/no_such_header")
set_tests_properties(refusals/control/a_missing_header_is_noticed PROPERTIES PASS_REGULAR_EXPRESSION
                                                                             "a header is missing")
