# Pages about kernels: the generator's own tests, the command `sectile tutorial` as a user calls it, and pages of a
# user's own kernels, made by CMake in this build and by an outside project with the installed package.
# The C++ beneath is tested by the *_test.cpp here.
set(tutorial_folder "${CMAKE_CURRENT_LIST_DIR}")
set(tutorial_pages "${CMAKE_CURRENT_BINARY_DIR}/tutorial/pages")
if(NOT SECTILE_PAGES_PYTHON OR NOT TARGET sectile_cli)
  message(STATUS "Sectile: pages are not tested: that needs the tool, and a Python with Jinja2, markdown-it-py and "
                 "Pygments")
  return()
endif()

# sectile_python_test(NAME SCRIPT [VARIABLE=VALUE...])
function(sectile_python_test name script)
  add_test(NAME ${name} COMMAND "${SECTILE_PAGES_PYTHON}" -B "${tutorial_folder}/${script}")
  set_tests_properties(${name} PROPERTIES LABELS tutorial ENVIRONMENT "${ARGN}")
endfunction()

foreach(part IN ITEMS chart directives lint markdown files verdict)
  sectile_python_test(tutorial/generator/${part} generator/test_${part}.py)
endforeach()
add_test(NAME tutorial/lint COMMAND "${SECTILE_PAGES_PYTHON}" -B "${PROJECT_SOURCE_DIR}/docs/generator" lint)
set_tests_properties(tutorial/lint PROPERTIES LABELS tutorial)
sectile_python_test(tutorial/command test_command.py "SECTILE=$<TARGET_FILE:sectile_cli>")
add_test(NAME tutorial/every_kernel
         COMMAND "${SECTILE_PAGES_PYTHON}" -B "${tutorial_folder}/test_command.py" Pages.test_a_page_of_each_family
         CONFIGURATIONS exhaustive)
set_tests_properties(tutorial/every_kernel PROPERTIES LABELS "tutorial;exhaustive" ENVIRONMENT
                                                      "SECTILE=$<TARGET_FILE:sectile_cli>;SECTILE_EXHAUSTIVE=1")

# The committed Markdown and pictures are what their sources say.
add_test(NAME tutorial/committed
         COMMAND "${SECTILE_PAGES_PYTHON}" -B "${PROJECT_SOURCE_DIR}/docs/generator" site --check --repository
                 "${PROJECT_SOURCE_DIR}" --sectile "$<TARGET_FILE:sectile_cli>" --out "${PROJECT_BINARY_DIR}/site")
set_tests_properties(tutorial/committed PROPERTIES LABELS tutorial)

# A user's own kernels.
sectile_add_tutorial(
  tutorial_of_scaled "${tutorial_folder}/kernels/scaled.hpp"
  KERNEL mine::scaled
  OUT "${tutorial_pages}"
  SUMMARY "C = alpha A B^T, in f16"
  REFERENCE mine::scaled_product
  SIZES M=200 N=264 K=136
  SCALARS alpha=0.5
  SEED 3
  ALL)
sectile_add_tutorial(
  tutorial_without_reference "${tutorial_folder}/kernels/row_sums.hpp"
  KERNEL mine::row_sums
  NAME unknown
  OUT "${tutorial_pages}")
sectile_add_tutorial(tutorial_of_a_refusal "${tutorial_folder}/kernels/too_many_stages.hpp" KERNEL too_many_stages OUT
                     "${tutorial_pages}" ALL)
# As other tests: what they run is short.
if(CMAKE_BUILD_TYPE STREQUAL "Release")
  foreach(page IN ITEMS tutorial_of_scaled tutorial_without_reference tutorial_of_a_refusal)
    target_compile_options(${page}_program PRIVATE -O0)
  endforeach()
endif()
file(GLOB_RECURSE generator_files CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/docs/generator/*.py"
     "${PROJECT_SOURCE_DIR}/docs/generator/*.j2")
foreach(page IN ITEMS scaled unknown too_many_stages)
  add_custom_command(OUTPUT "${tutorial_pages}/${page}.html" APPEND DEPENDS ${generator_files})
endforeach()
# To make a page is a minute's work: the page without a reference, and an outside project with the installed package, are
# made exhaustively. (Of the package the how-to's blocks make one, see docs/howto/make-a-tutorial.)
sectile_build_exhaustively(tutorial/build_without_reference tutorial_without_reference tutorial)
set(own_kernels "${SECTILE_PAGES_PYTHON}" -B "${tutorial_folder}/test_own_kernels.py")
add_test(NAME tutorial/own_kernels COMMAND ${own_kernels} OwnKernels)
add_test(NAME tutorial/without_reference COMMAND ${own_kernels} WithoutReference CONFIGURATIONS exhaustive)
set_tests_properties(
  tutorial/own_kernels tutorial/without_reference
  PROPERTIES LABELS tutorial ENVIRONMENT
             "PAGES=${tutorial_pages};PROGRAM=$<TARGET_FILE:tutorial_of_scaled_program>")
set_tests_properties(tutorial/without_reference PROPERTIES LABELS "tutorial;exhaustive" FIXTURES_REQUIRED
                                                           tutorial_without_reference)
sectile_build_outside(tutorial/outside_project "${tutorial_folder}/project" "${PROJECT_BINARY_DIR}/outside-tutorial" OFF
                      CONFIGURATIONS exhaustive)
