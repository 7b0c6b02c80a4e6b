# cmake -DSOURCE= -DBUILD= -DGENERATOR= -DPREFIX= -DCXX= -DCUDA= -DFLAGS= -P stops_nvcc.cmake
# Builds a project whose kernel is refused: the host compiler has to say why, and nvcc must not have been started.
file(REMOVE_RECURSE "${BUILD}")
execute_process(
  COMMAND "${CMAKE_COMMAND}" -S "${SOURCE}" -B "${BUILD}" -G "${GENERATOR}" "-DCMAKE_PREFIX_PATH=${PREFIX}"
          "-DCMAKE_CXX_COMPILER=${CXX}" "-DCMAKE_CUDA_COMPILER=${CUDA}" "-DCMAKE_CXX_FLAGS=${FLAGS}"
  RESULT_VARIABLE configured
  OUTPUT_VARIABLE said
  ERROR_VARIABLE said)
if(NOT configured EQUAL 0)
  message(FATAL_ERROR "the project cannot be configured:\n${said}")
endif()
set(ENV{LC_ALL} C)
execute_process(
  COMMAND "${CMAKE_COMMAND}" --build "${BUILD}"
  RESULT_VARIABLE built
  OUTPUT_VARIABLE said
  ERROR_VARIABLE said)

set(sentence "tile K = 40 is not a multiple of the instruction K = 16 (wgmma m64nNk16, bf16); use 32 or 48")
if(CXX MATCHES "clang")
  set(sentence "tile_is_not_a_multiple_of_the_instruction, 40, 16")
endif()
string(FIND "${said}" "${sentence}" found)
string(REGEX MATCHALL "error:" errors "${said}")
list(LENGTH errors errors)
file(GLOB_RECURSE objects "${BUILD}/kernel.cu.o" "${BUILD}/kernel.cu.obj")
if(built EQUAL 0)
  set(verdict "the refused kernel was built")
elseif(NOT said MATCHES "Checking kernel.cu with the host compiler")
  set(verdict "the host compiler has not checked it")
elseif(found EQUAL -1)
  set(verdict "it was refused in other words")
elseif(errors GREATER 2)
  set(verdict "it was refused with ${errors} errors")
elseif(said MATCHES "Building CUDA object" OR objects)
  set(verdict "nvcc was started")
else()
  return()
endif()
message(NOTICE "${said}")
message(FATAL_ERROR "${verdict}")
