# Headers that g++ compiles ahead, because many read them. Where one does not fit its reader, g++ reads the text instead.

# sectile_precompile(HEADER RESULT [FLAGS...]): a header that includes HEADER and is compiled ahead where the compiler is
# g++, once with each of FLAGS, each a string, or once with none: g++ takes the one that fits from the folder beside it.
# RESULT_ahead are the files to wait for.
function(sectile_precompile header result)
  cmake_path(GET header STEM stem)
  set(file "${CMAKE_CURRENT_BINARY_DIR}/precompiled/${stem}.hpp")
  file(CONFIGURE OUTPUT "${file}" CONTENT "#include \"${header}\"\n")
  set(${result} "${file}" PARENT_SCOPE)
  set(${result}_ahead "" PARENT_SCOPE)
  if(NOT CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    return()
  endif()
  set(ways "${ARGN}")
  if(NOT ways)
    set(ways "-std=c++20")
  endif()
  file(MAKE_DIRECTORY "${file}.gch")
  set(all "")
  foreach(flags IN LISTS ways)
    list(LENGTH all number)
    set(one "${file}.gch/${number}")
    separate_arguments(flags UNIX_COMMAND "${flags}")
    add_custom_command(
      OUTPUT "${one}"
      COMMAND ${CMAKE_CXX_COMPILER} ${flags} -std=c++20 "-I${PROJECT_SOURCE_DIR}/include" -MD -MF "${file}.${number}.d"
              -MT "${one}" -x c++-header "${file}" -o "${one}"
      DEPENDS "${file}"
      DEPFILE "${file}.${number}.d"
      COMMENT "Precompiling ${stem}.hpp"
      VERBATIM)
    list(APPEND all "${one}")
  endforeach()
  add_custom_target(precompiled_${stem} ALL DEPENDS ${all})
  set(${result}_ahead "${all}" PARENT_SCOPE)
endfunction()
