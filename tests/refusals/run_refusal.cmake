# cmake -DCOMPILER= -DKIND=host|clang|nvcc -DFILE= -DINCLUDE= -DEXPECTATION= -P run_refusal.cmake
# Compiles FILE without keeping anything. It has to be refused with the text in the file EXPECTATION, or to compile
# where that is empty.
# Compilers are asked not to quote source lines, so that the text of the file is never taken for the message.

if(KIND STREQUAL "nvcc")
  set(flags -gencode=arch=compute_90a,code=sm_90a --expt-relaxed-constexpr -Xcudafe --brief_diagnostics -x cu -cuda -o
            "${EXPECTATION}.ii")
elseif(KIND STREQUAL "clang")
  set(flags -fsyntax-only -fno-caret-diagnostics -fno-color-diagnostics -x c++)
else()
  set(flags -fsyntax-only -fno-diagnostics-show-caret -fmessage-length=0 -fdiagnostics-color=never -x c++)
endif()
file(READ "${EXPECTATION}" expected)
set(ENV{LC_ALL} C)  # plain quotation marks
execute_process(
  COMMAND "${COMPILER}" -std=c++20 "-I${INCLUDE}" ${flags} "${FILE}"
  RESULT_VARIABLE status
  OUTPUT_VARIABLE messages
  ERROR_VARIABLE messages)
file(REMOVE "${EXPECTATION}.ii")

string(FIND "${messages}" "${expected}" found)
if(expected STREQUAL "" AND NOT status EQUAL 0)
  set(verdict "has to compile, but was refused")
elseif(expected STREQUAL "")
  set(verdict "")
elseif(status EQUAL 0)
  set(verdict "was accepted")
elseif(messages MATCHES "No such file or directory|file not found|cannot open source file")
  set(verdict "was refused because a header is missing, which proves nothing")
elseif(found EQUAL -1)
  set(verdict "was refused in other words")
else()
  set(verdict "")
endif()

if(NOT verdict STREQUAL "")
  # Notices are printed as they are; an error message would be wrapped.
  message(NOTICE "${messages}")
  message(NOTICE "${FILE} ${verdict}\nexpected: ${expected}")
  message(FATAL_ERROR "not as expected")
endif()
