# cmake -DCOMPILER= -DMODE=each|some|together|nvcc -DINCLUDE= -DPARTS=layouts,kernels -DSCRATCH= -P compile_headers.cmake
# Compiles the headers of the named parts of <sectile/...>: each alone, every fortieth alone, or together in one go; nvcc
# together, too.

if(NOT COMPILER)
  message("skipped: there is no clang++")
  return()
endif()
string(REPLACE "," ";" parts "${PARTS}")
set(headers "")
foreach(part IN LISTS parts)
  file(GLOB_RECURSE found FOLLOW_SYMLINKS RELATIVE "${INCLUDE}" "${INCLUDE}/sectile/${part}/*.hpp")
  list(APPEND headers ${found})
endforeach()
if(NOT headers)
  message("skipped: no header in ${PARTS}")
  return()
endif()

if(MODE STREQUAL "nvcc")
  file(MAKE_DIRECTORY "${SCRATCH}")
  set(flags --expt-relaxed-constexpr -gencode=arch=compute_90a,code=sm_90a -Werror=all-warnings -cuda -x cu -o
            "${SCRATCH}/headers.ii")
else()
  set(flags -fsyntax-only -Wall -Wextra -Wpedantic -Wshadow -Werror -x c++)
endif()

function(compile what)
  list(TRANSFORM ARGN PREPEND "-include;" OUTPUT_VARIABLE includes)
  execute_process(
    COMMAND "${COMPILER}" -std=c++20 "-I${INCLUDE}" ${includes} ${flags} /dev/null
    RESULT_VARIABLE status
    ERROR_VARIABLE messages)
  if(NOT status EQUAL 0)
    message(NOTICE "${messages}")  # as the compiler wrote it; an error message would be wrapped
    message(SEND_ERROR "${what}")
  endif()
endfunction()

if(MODE STREQUAL "each" OR MODE STREQUAL "some")
  set(at 0)
  foreach(header IN LISTS headers)
    math(EXPR skip "${at} % 40")
    math(EXPR at "${at} + 1")
    if(MODE STREQUAL "each" OR skip EQUAL 0)
      compile("<${header}> does not compile on its own" "${header}")
    endif()
  endforeach()
else()
  compile("the headers of ${PARTS} do not compile with ${COMPILER}" ${headers})
endif()
