# Files that are compiled several at a time, because what they include and what the first kernel of each instantiates is
# the same: a file of tests/programs costs 2 s before its second kernel, one of tests/layouts 0.6 s before its first line.
#
# Each stands in a namespace of its own, so that the names of one are none of another's, and what all of them include is
# read before the first. (CMake's unity builds include files as they are.) So a file says nothing of `::name` that is its
# own.
if(CMAKE_SCRIPT_MODE_FILE)  # cmake -DOUT=FILE -DSOURCES=FILE,FILE... -P together.cmake
  string(REPLACE "," ";" sources "${SOURCES}")
  set(includes "")
  set(bodies "")
  foreach(source IN LISTS sources)
    cmake_path(GET source PARENT_PATH beside)
    cmake_path(GET source STEM name)
    file(STRINGS "${source}" own REGEX "^#include ")
    foreach(include IN LISTS own)
      string(REGEX REPLACE "^#include \"(.+)\".*" "${beside}/\\1" file "${include}")
      if(EXISTS "${file}")
        set(include "#include \"${file}\"")
      endif()
      list(APPEND includes "${include}")
    endforeach()
    string(APPEND bodies "namespace of_${name} {\n#include \"${source}\"\n}\n")
  endforeach()
  list(REMOVE_DUPLICATES includes)
  list(JOIN includes "\n" includes)
  file(WRITE "${OUT}" "${includes}\n\n${bodies}")
  return()
endif()

# sectile_in_groups(RESULT NAME SIZE FILE...): sources for a target that has the FILEs, SIZE of them in each.
function(sectile_in_groups result name size)
  set(all ${ARGN})
  set(compiled "")
  set(number 0)
  while(all)
    list(SUBLIST all 0 ${size} group)
    list(REMOVE_ITEM all ${group})
    math(EXPR number "${number} + 1")
    set(file "${CMAKE_CURRENT_BINARY_DIR}/together/${name}_${number}.cpp")
    list(JOIN group "," sources)
    add_custom_command(
      OUTPUT "${file}"
      COMMAND ${CMAKE_COMMAND} "-DOUT=${file}" "-DSOURCES=${sources}" -P "${CMAKE_CURRENT_FUNCTION_LIST_FILE}"
      DEPENDS ${group} "${CMAKE_CURRENT_FUNCTION_LIST_FILE}"
      COMMENT "Writing ${name}_${number}.cpp"
      VERBATIM)
    list(APPEND compiled "${file}")
  endwhile()
  set(${result} ${compiled} PARENT_SCOPE)
endfunction()
