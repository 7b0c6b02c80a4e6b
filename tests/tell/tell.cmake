# Lines of a program are read from debug information (see dsl/tell/facts/debug_lines.cpp): of code as a page's program is
# compiled in one test, in the others as it costs least.
set_source_files_properties("${CMAKE_CURRENT_LIST_DIR}/facts_lines_test.cpp" PROPERTIES COMPILE_OPTIONS
                                                                                        "-O1;-g1;-gdwarf-4")
foreach(source IN ITEMS facts_test facts_variations_test)
  set_source_files_properties("${CMAKE_CURRENT_LIST_DIR}/${source}.cpp" PROPERTIES COMPILE_OPTIONS "-O0;-g1;-gdwarf-4")
endforeach()
set_source_files_properties("${CMAKE_CURRENT_LIST_DIR}/facts_no_lines_test.cpp" PROPERTIES COMPILE_OPTIONS "-g0")
