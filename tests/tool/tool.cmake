# A tool with some families of kernels, made of the library that has all: its own list comes before the library's.
sectile_list_families("${CMAKE_CURRENT_BINARY_DIR}/few_families.cpp" gemm_bf16 portable_wmma)
add_executable(test_few_kernels tool/few_kernels/few_kernels.cpp "${CMAKE_CURRENT_BINARY_DIR}/few_families.cpp")
target_link_libraries(test_few_kernels PRIVATE sectile_test_main doctest::doctest sectile_tool)
sectile_own_target(test_few_kernels)
add_test(NAME tool/few_kernels COMMAND test_few_kernels)
set_tests_properties(tool/few_kernels PROPERTIES LABELS tool)

# The neighbours of shipped kernels that SECTILE_TOOL_NEIGHBOURS leaves out are planned and proven here.
file(GLOB records CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/tool/kernels/*_records.cpp")
add_library(neighbours_exhaustive OBJECT EXCLUDE_FROM_ALL ${records})
sectile_own_target(neighbours_exhaustive)
target_compile_definitions(neighbours_exhaustive PRIVATE SECTILE_TOOL_HAS_NEIGHBOUR=1)
target_link_libraries(neighbours_exhaustive PRIVATE sectile_tool)
add_test(NAME tool/neighbours_are_proven COMMAND ${CMAKE_COMMAND} --build "${PROJECT_BINARY_DIR}" --target
                                                 neighbours_exhaustive CONFIGURATIONS exhaustive)
set_tests_properties(tool/neighbours_are_proven PROPERTIES LABELS "tool;exhaustive" RESOURCE_LOCK ninja)

# What a tool that is built where there is no GPU has not: one family's machine code, and what launches and times it.
if(SECTILE_CUDA_FOUND AND NOT SECTILE_BUILD_FOR_GPU)
  set(sources on_gpu.cu tune/gpu_race.cu kernels/gemm_bf16.cu)
  list(TRANSFORM sources PREPEND "${PROJECT_SOURCE_DIR}/tool/")
  add_library(tool_for_gpu OBJECT EXCLUDE_FROM_ALL ${sources})
  sectile_own_target(tool_for_gpu)
  set_target_properties(tool_for_gpu PROPERTIES CUDA_ARCHITECTURES "${SECTILE_CUDA_ARCHITECTURES}")
  target_compile_definitions(tool_for_gpu PRIVATE SECTILE_PROVEN)
  target_link_libraries(tool_for_gpu PRIVATE sectile_tool)
  sectile_build_exhaustively(tool/compiles_for_gpu tool_for_gpu tool)
endif()
