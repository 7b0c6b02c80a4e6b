# The package, called from Python: an operator of a kernel of the examples, and a library of another version.
sectile_add_operator(example_operators "${PROJECT_SOURCE_DIR}/examples/scaled_product.hpp" KERNEL scaled_product SUMMARY
                     "C = alpha A B: f16 matrices, summed in f32, C in f16")
sectile_add_operator(example_operators "${CMAKE_CURRENT_LIST_DIR}/two_products.hpp" KERNEL two_products SUMMARY
                     "scaled_product in the configuration that suits the sizes")
target_include_directories(example_operators PRIVATE "${PROJECT_SOURCE_DIR}")
add_library(operators_of_old MODULE "${CMAKE_CURRENT_LIST_DIR}/other_abi/operators.cpp")
target_link_libraries(operators_of_old PRIVATE sectile::dsl)
set_target_properties(operators_of_old PROPERTIES PREFIX "")

# Any Python runs the tests, as the module keeps to the stable ABI: the first that has what they take.
set(tester "${Python_EXECUTABLE}")
foreach(python IN ITEMS "${Python_EXECUTABLE}" /usr/bin/python3)
  execute_process(COMMAND "${python}" -c "import sys, pytest, numpy; sys.exit(sys.version_info < (3, 11))"
                  RESULT_VARIABLE lacks OUTPUT_QUIET ERROR_QUIET)
  if(lacks EQUAL 0)
    set(tester "${python}")
    break()
  endif()
endforeach()
add_test(NAME python/package COMMAND "${tester}" -B "${CMAKE_CURRENT_LIST_DIR}/run.py")
set_tests_properties(
  python/package
  PROPERTIES
    LABELS python
    SKIP_REGULAR_EXPRESSION "skipped: "
    ENVIRONMENT
    "SECTILE_PACKAGE=${CMAKE_CURRENT_BINARY_DIR};SECTILE_OPERATORS=$<TARGET_FILE:example_operators>;SECTILE_OTHER_ABI=$<TARGET_FILE:operators_of_old>;$<$<TARGET_EXISTS:sectile_cli>:SECTILE_TOOL=$<TARGET_FILE:sectile_cli>>"
)
