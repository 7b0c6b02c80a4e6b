# The target `site`: the course, the chapters and the gallery as Markdown in docs/ and as HTML in build/site, made by
# docs/generator of what the tool says. What was asked of the same tool before is remembered in build/site-memory, so the
# target runs every time and costs little when nothing has changed.
set(site_folder "${PROJECT_BINARY_DIR}/site")
# The first Python that has what the generator needs: the one that is set, the usual one, and Debian's own.
set(site_python "")
foreach(candidate IN ITEMS "${SECTILE_PYTHON}" "$ENV{SECTILE_PYTHON}" python3 /usr/bin/python3)
  if(candidate STREQUAL "")
    continue()
  endif()
  execute_process(COMMAND "${candidate}" -c "import jinja2, markdown_it, pygments" RESULT_VARIABLE missing OUTPUT_QUIET
                                                                                   ERROR_QUIET)
  if(missing EQUAL 0)
    set(site_python "${candidate}")
    break()
  endif()
endforeach()
set(SECTILE_PAGES_PYTHON "${site_python}" CACHE INTERNAL "Python that makes the pages; empty if there is none")

if(NOT SECTILE_PAGES_PYTHON)
  message(STATUS "Sectile: no Python with Jinja2, markdown-it-py and Pygments, so there is no target `site` (Debian: "
                 "python3-jinja2 python3-markdown-it python3-pygments)")
  return()
endif()

option(SECTILE_SITE_PLAIN_SOURCES "The site shows the repository's files without colours, which are half of its time" OFF)
set(site_command "${SECTILE_PAGES_PYTHON}" -B "${PROJECT_SOURCE_DIR}/docs/generator" site --repository
                 "${PROJECT_SOURCE_DIR}" --sectile "$<TARGET_FILE:sectile_cli>" --out "${site_folder}"
                 $<$<BOOL:${SECTILE_SITE_PLAIN_SOURCES}>:--plain-sources>)
add_custom_target(
  site
  COMMAND ${site_command}
  DEPENDS sectile_cli
  COMMENT "Making the pages of docs/ and ${site_folder}"
  USES_TERMINAL VERBATIM COMMAND_EXPAND_LISTS)
if(TARGET explorer)
  add_dependencies(site explorer)
endif()
