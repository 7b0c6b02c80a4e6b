# sectile_compile_together(TARGET NAME FILE...): FILEs of TARGET are compiled as one, which costs less than half: what they
# include and instantiate is the same.
function(sectile_compile_together target name)
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
  set_source_files_properties(${ARGN} PROPERTIES UNITY_GROUP ${name})
endfunction()

# sectile_own_target(TARGET): the warnings this project holds itself to. A project that includes this one sees none.
function(sectile_own_target target)
  if(NOT PROJECT_IS_TOP_LEVEL)
    return()
  endif()
  set(warnings -Wall -Wextra -Wpedantic -Wshadow)
  set(cuda_warnings -Xcompiler=-Wall,-Wextra,-Wshadow)
  if(SECTILE_WERROR)
    list(APPEND warnings -Werror)
    list(APPEND cuda_warnings -Werror=all-warnings)
  endif()
  target_compile_options(${target} PRIVATE "$<$<COMPILE_LANGUAGE:CXX>:${warnings}>"
                                           "$<$<COMPILE_LANGUAGE:CUDA>:${cuda_warnings}>")
endfunction()
