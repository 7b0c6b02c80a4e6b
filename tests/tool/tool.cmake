# A tool with some families of kernels, made of the library that has all: its own list comes before the library's.
sectile_list_families("${CMAKE_CURRENT_BINARY_DIR}/few_families.cpp" gemm_bf16 portable_wmma)
add_executable(test_few_kernels tool/few_kernels/few_kernels.cpp "${CMAKE_CURRENT_BINARY_DIR}/few_families.cpp")
target_link_libraries(test_few_kernels PRIVATE sectile_test_main doctest::doctest sectile_tool)
sectile_own_target(test_few_kernels)
add_test(NAME tool/few_kernels COMMAND test_few_kernels)
set_tests_properties(tool/few_kernels PROPERTIES LABELS tool)
