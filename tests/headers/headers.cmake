# Headers that must compile on their own, with every warning an error: some alone by the host compiler, those of the GPU
# machine in one go by nvcc, where there is one, and those a kernel starts from by clang++, where there is one. All in one
# go, and each one alone, in the exhaustive tests.

# sectile_check_headers(NAME PARTS COMPILER MODE): MODE is each, some, together or nvcc.
function(sectile_check_headers name parts compiler mode)
  sectile_run_script(headers/${name} headers/compile_headers.cmake "COMPILER=${compiler}" "MODE=${mode}"
                     "INCLUDE=${PROJECT_SOURCE_DIR}/include" "PARTS=${parts}"
                     "SCRATCH=${CMAKE_CURRENT_BINARY_DIR}/headers" ${ARGN})
  set_tests_properties(headers/${name} PROPERTIES LABELS headers SKIP_REGULAR_EXPRESSION "skipped: ")
endfunction()

file(GLOB rooms CONFIGURE_DEPENDS LIST_DIRECTORIES true RELATIVE "${PROJECT_SOURCE_DIR}" "${PROJECT_SOURCE_DIR}/dsl/*")
list(FILTER rooms EXCLUDE REGEX "\\.|hopper|launch")
set(parts layouts kernels ${rooms})
list(JOIN parts "," all_parts)
sectile_check_headers(together "${all_parts}" "${CMAKE_CXX_COMPILER}" together CONFIGURATIONS exhaustive)
set_property(TEST headers/together APPEND PROPERTY LABELS exhaustive)
sectile_check_headers(some "${all_parts}" "${CMAKE_CXX_COMPILER}" some)
foreach(part IN LISTS parts)
  sectile_check_headers(each/${part} ${part} "${CMAKE_CXX_COMPILER}" each CONFIGURATIONS exhaustive)
  set_property(TEST headers/each/${part} APPEND PROPERTY LABELS exhaustive)
endforeach()
if(SECTILE_CUDA_FOUND)
  sectile_check_headers(nvcc "dsl/hopper,dsl/launch" "${CMAKE_CUDA_COMPILER}" nvcc)
  set_property(TEST headers/nvcc APPEND PROPERTY LABELS slow)
endif()

sectile_run_script(headers/one_way headers/one_way.cmake "ROOT=${PROJECT_SOURCE_DIR}")
set_tests_properties(headers/one_way PROPERTIES LABELS headers)

find_program(SECTILE_CLANG NAMES clang++ clang++-19 clang++-18 clang++-17 clang++-16 clang++-15 clang++-14)
mark_as_advanced(SECTILE_CLANG)
sectile_check_headers(clang "layouts,kernels" "${SECTILE_CLANG}" together)
