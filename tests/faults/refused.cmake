# cmake -DCOMPILER= -DKIND=host|clang|nvcc|nvcc-launch -DFILE= -DINCLUDE= -DEXPECTATION= [-DAHEAD=] [-DMOST_LINES=]
#       [-DFLAGS=a,b] -P refused.cmake
# Compiles FILE without keeping anything. It has to be refused, and the first error, with the code that it shows, has to
# contain the text in the file EXPECTATION; where that is empty it has to compile. Given MOST_LINES, the whole output is
# no longer than that and names a line of FILE. Two things that clang++ lists are not counted: the inclusion of the
# gallery's own header, which a user's file does without; and, by newer versions, the lambda in `verified`. The header
# AHEAD, which FILE includes first, is taken as it was precompiled.

if(KIND STREQUAL "nvcc")
  set(flags -gencode=arch=compute_90a,code=sm_90a --expt-relaxed-constexpr -x cu -cuda -o "${EXPECTATION}.ii")
elseif(KIND STREQUAL "nvcc-launch")
  set(flags -gencode=arch=compute_90a,code=compute_90a --expt-relaxed-constexpr -DSECTILE_PROVEN -x cu -c -o
            "${EXPECTATION}.ii")
else()
  set(flags -fsyntax-only -x c++)
endif()
if(KIND STREQUAL "host")
  list(APPEND flags --param ggc-min-heapsize=262144)  # what ends soon need not collect its garbage
endif()
if(AHEAD)
  list(APPEND flags -include "${AHEAD}")
endif()
string(REPLACE "," ";" more_flags "${FLAGS}")
list(APPEND flags ${more_flags})
file(READ "${EXPECTATION}" expected)
set(ENV{LC_ALL} C)  # plain quotation marks
execute_process(
  COMMAND "${COMPILER}" -std=c++20 "-I${INCLUDE}" ${flags} "${FILE}"
  RESULT_VARIABLE status
  OUTPUT_VARIABLE messages
  ERROR_VARIABLE messages)
file(REMOVE "${EXPECTATION}.ii")

string(REPLACE "\\'" "'" text "${messages}")  # g++ prints a sentence as a C++ literal
string(REPLACE "\\\"" "\"" text "${text}")
# Up to the next error. (A constant that is refused is one error in several lines, of which the code says why.)
string(REGEX MATCH "error:.*" first_error "${text}")
string(REGEX REPLACE "\n[^\n]*error:.*" "" first_error "${first_error}")
string(FIND "${first_error}" "${expected}" found)
string(REGEX REPLACE "In file included from [^\n]*(fault|running)\\.hpp:[0-9]+:\n" "" counted "${text}")
string(REGEX REPLACE "[^\n]*note: while substituting into a lambda expression here\n[^\n]*\n[^\n]*\n" "" counted
                     "${counted}")
string(REGEX MATCHALL "\n" line_ends "${counted}")
list(LENGTH line_ends lines)
cmake_path(GET FILE FILENAME name)

if(expected STREQUAL "" AND NOT status EQUAL 0)
  set(verdict "has to compile, but was refused")
elseif(expected STREQUAL "")
  set(verdict "")
elseif(status EQUAL 0)
  set(verdict "was accepted")
elseif(first_error MATCHES "No such file or directory|file not found|cannot open source file")
  set(verdict "was refused because a header is missing, which proves nothing")
elseif(found EQUAL -1)
  set(verdict "was refused in other words")
elseif(DEFINED MOST_LINES AND lines GREATER MOST_LINES)
  set(verdict "was refused in ${lines} lines, not ${MOST_LINES} or less")
elseif(DEFINED MOST_LINES AND NOT text MATCHES "${name}:[0-9]+")
  set(verdict "was refused without naming a line of it")
else()
  set(verdict "")
endif()

if(NOT verdict STREQUAL "")
  # Notices are printed as they are; an error message would be wrapped.
  message(NOTICE "${messages}")
  message(NOTICE "${FILE} ${verdict}\nexpected: ${expected}")
  message(FATAL_ERROR "not as expected")
endif()
