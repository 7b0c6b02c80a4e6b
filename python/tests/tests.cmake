# The package, called from Python: an operator of a kernel of the examples, and a library of another version.
sectile_add_operator(example_operators "${PROJECT_SOURCE_DIR}/examples/scaled_product.hpp" KERNEL scaled_product SUMMARY
                     "C = alpha A B: f16 matrices, summed in f32, C in f16")
add_library(operators_of_old MODULE "${CMAKE_CURRENT_LIST_DIR}/other_abi/operators.cpp")
target_link_libraries(operators_of_old PRIVATE sectile::dsl)
set_target_properties(operators_of_old PROPERTIES PREFIX "")

add_test(NAME python/package COMMAND "${Python_EXECUTABLE}" -B "${CMAKE_CURRENT_LIST_DIR}/run.py")
set_tests_properties(
  python/package
  PROPERTIES
    LABELS python
    SKIP_REGULAR_EXPRESSION "skipped: "
    ENVIRONMENT
    "SECTILE_PACKAGE=${CMAKE_CURRENT_BINARY_DIR};SECTILE_OPERATORS=$<TARGET_FILE:example_operators>;SECTILE_OTHER_ABI=$<TARGET_FILE:operators_of_old>;$<$<TARGET_EXISTS:sectile_cli>:SECTILE_TOOL=$<TARGET_FILE:sectile_cli>>"
)
