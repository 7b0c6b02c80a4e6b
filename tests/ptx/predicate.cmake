# cmake -DNVCC= -DSOURCE= -DINCLUDE= -DFOLDER= -P predicate.cmake
# What a condition of a mask costs in PTX. Each of the fragment's 64 registers is compared once more: two lines or three each. A
# compiler that no longer unrolls the loop over them keeps the whole kernel's registers in memory instead, which takes
# thousands of lines and ptxas minutes.
set(elements 64)
set(lines_per_element 4)
file(MAKE_DIRECTORY "${FOLDER}")
foreach(terms IN ITEMS 1 4)
  set(ptx "${FOLDER}/predicate_${terms}.ptx")
  execute_process(
    COMMAND "${NVCC}" -std=c++20 --expt-relaxed-constexpr -arch=sm_90a -DSECTILE_PROVEN -DTERMS=${terms} "-I${INCLUDE}" -ptx
            "${SOURCE}" -o "${ptx}" COMMAND_ERROR_IS_FATAL ANY)
  file(READ "${ptx}" text)
  string(REGEX MATCHALL "\n" ends "${text}")
  list(LENGTH ends lines_${terms})
  if(text MATCHES "\\.local")
    message(FATAL_ERROR "a mask with ${terms} conditions keeps registers in memory")
  endif()
endforeach()
math(EXPR more "${lines_4} - ${lines_1}")
math(EXPR most "3 * ${elements} * ${lines_per_element}")
message(STATUS "1 condition: ${lines_1} lines of PTX, 4 conditions: ${lines_4}")
if(more GREATER most)
  message(FATAL_ERROR "three more conditions cost ${more} lines of PTX, not ${most} or less")
endif()
