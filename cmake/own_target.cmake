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
