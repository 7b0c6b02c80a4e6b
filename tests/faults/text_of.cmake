# sectile_text_of(FILE TAG RESULT): the text behind `// TAG: ` in a line of FILE, or nothing.
function(sectile_text_of file tag result)
  file(READ "${file}" content LIMIT 4096)
  if("\n${content}" MATCHES "\n// ${tag}: +([^\n]*[^\n ])")
    set(${result} "${CMAKE_MATCH_1}" PARENT_SCOPE)
  else()
    set(${result} "" PARENT_SCOPE)
  endif()
endfunction()
