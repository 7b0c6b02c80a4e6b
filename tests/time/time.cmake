# Tests that hold for all tests. Excepted are random programs that say how fast they were, the driver of a browser, which
# waits for what a page does and hands out times to bench/explorer_speed.py, and programs of their own that search: SPIN,
# which may take too long to come to an end, and mutants, which may have none.
sectile_run_script(time/no_limits time/no_limits.cmake "FOLDER=${CMAKE_CURRENT_SOURCE_DIR}"
                   "EXCEPT=fuzz/algebra.cpp,fuzz/programs/campaign.py,fuzz/layers/campaign.py,explorer/browser.py,mutation/mutation.py,spin/ask.cpp")
sectile_run_script(time/control/impatient time/no_limits.cmake "FOLDER=${CMAKE_CURRENT_LIST_DIR}/control")
set_tests_properties(time/no_limits time/control/impatient PROPERTIES LABELS time)
set_tests_properties(time/control/impatient PROPERTIES PASS_REGULAR_EXPRESSION "impatient.py: begin = time.monotonic")
