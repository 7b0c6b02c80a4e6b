# The site as a whole: it can be built, what it holds is what is committed, its links lead somewhere, its pages are
# valid HTML that everybody can read, and they fit a phone. Every check is a Python program of this folder that prints
# what is wrong and where; where a tool is missing it says so and exits with 77, which ctest counts as skipped.
if(NOT SECTILE_TOOL OR NOT TARGET site)
  return()
endif()
set(site "${PROJECT_BINARY_DIR}/site")

# sectile_site_test(NAME COMMAND...): a test that needs the site.
function(sectile_site_test name)
  add_test(NAME site/${name} COMMAND ${ARGN})
  set_tests_properties(site/${name} PROPERTIES LABELS site SKIP_RETURN_CODE 77 FIXTURES_REQUIRED site)
endfunction()

add_test(NAME site/build COMMAND ${CMAKE_COMMAND} --build "${PROJECT_BINARY_DIR}" --target site)
set_tests_properties(site/build PROPERTIES LABELS site FIXTURES_SETUP site RESOURCE_LOCK ninja)
# It writes the Markdown of docs/, too: what is committed is looked at before.
set_tests_properties(site/build PROPERTIES DEPENDS tutorial/committed)

foreach(check IN ITEMS links validity accessibility looks)
  sectile_site_test(${check} /usr/bin/python3 "${CMAKE_CURRENT_LIST_DIR}/${check}.py" "${site}")
endforeach()
# In a browser a page takes seconds, in a strict parser too: a few of each folder there, all of them here.
foreach(check IN ITEMS validity accessibility looks)
  sectile_site_test(${check}_of_all /usr/bin/python3 "${CMAKE_CURRENT_LIST_DIR}/${check}.py" "${site}" --all
                    CONFIGURATIONS exhaustive)
  set_property(TEST site/${check}_of_all APPEND PROPERTY LABELS exhaustive)
endforeach()
