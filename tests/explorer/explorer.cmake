# The explorer, driven in headless Chromium: what it shows is what the tool says, by mouse, keyboard and touch. Without
# Chromium, its driver or python3-selenium the tests are skipped and say so. Screenshots go to build/screenshots.
if(NOT TARGET explorer)
  return()
endif()

add_test(NAME explorer/build COMMAND ${CMAKE_COMMAND} --build "${PROJECT_BINARY_DIR}" --target explorer)
set_tests_properties(explorer/build PROPERTIES LABELS explorer FIXTURES_SETUP explorer RESOURCE_LOCK ninja)

foreach(subject IN ITEMS views descriptors keyboard pipelines questions)
  add_test(NAME explorer/${subject}
           COMMAND "${SECTILE_SITE_PYTHON}" "${CMAKE_CURRENT_LIST_DIR}/${subject}.py" "${SECTILE_EXPLORER}"
                   "$<TARGET_FILE:sectile_cli>" "${PROJECT_BINARY_DIR}/screenshots")
  set_tests_properties(explorer/${subject} PROPERTIES LABELS explorer SKIP_RETURN_CODE 77 FIXTURES_REQUIRED explorer)
endforeach()
# A browser takes a second for a page: with SECTILE_EXHAUSTIVE a test goes through all of them.
foreach(subject IN ITEMS views looks pipelines questions)
  add_test(NAME explorer/all_${subject}
           COMMAND "${SECTILE_SITE_PYTHON}" "${CMAKE_CURRENT_LIST_DIR}/${subject}.py" "${SECTILE_EXPLORER}"
                   "$<TARGET_FILE:sectile_cli>" "${PROJECT_BINARY_DIR}/screenshots" CONFIGURATIONS exhaustive)
  set_tests_properties(explorer/all_${subject} PROPERTIES LABELS "explorer;exhaustive" ENVIRONMENT SECTILE_EXHAUSTIVE=1
                                                          SKIP_RETURN_CODE 77 FIXTURES_REQUIRED explorer)
endforeach()
