# cmake -DCOMPILER= -DINCLUDE= -DSOURCE= -DPTX= -DKERNELS= [-DFLAGS=] -P no_local_memory.cmake
# Compiles SOURCE to PTX: it has so many kernels, none of them keeps anything in local memory, none ends in a trap, and
# none loads from the host's memory, as nvcc has it do where a number of a plan is taken by reference.
execute_process(
  COMMAND "${COMPILER}" -std=c++20 --expt-relaxed-constexpr -O3 -DSECTILE_PROVEN ${FLAGS}
          -gencode=arch=compute_90a,code=compute_90a
          "-I${INCLUDE}" -ptx "${SOURCE}" -o "${PTX}"
  RESULT_VARIABLE status
  OUTPUT_VARIABLE messages
  ERROR_VARIABLE messages)
if(NOT status EQUAL 0)
  message(FATAL_ERROR "does not compile:\n${messages}")
endif()
file(READ "${PTX}" ptx)
string(REGEX MATCHALL "\\.entry" kernels "${ptx}")
list(LENGTH kernels count)
if(NOT count EQUAL KERNELS)
  message(FATAL_ERROR "${count} kernels in ${PTX}, not ${KERNELS}")
endif()
string(REGEX MATCHALL "\\.local [^;]*" found "${ptx}")
if(found)
  list(GET found 0 first)
  message(FATAL_ERROR "a kernel keeps something in local memory: ${first}")
endif()
if(ptx MATCHES "[\t ]trap;")
  message(FATAL_ERROR "a kernel traps: there is something in it that nvcc takes for undefined")
endif()
string(REGEX MATCH "[\t ]ld\\.[usbf][0-9]+[^;]*" found "${ptx}")
if(found)
  message(FATAL_ERROR "a kernel loads from no space that it knows, so from what is the host's: ${found}")
endif()
