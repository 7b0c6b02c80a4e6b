# cmake -DPKG_CONFIG= -DCOMPILER= -DFLAGS= -DFOUND_AT=FOLDER -DVERSION= -DSOURCE= -DPROGRAM= -P pkg_config.cmake
# Compiles SOURCE with what pkg-config says of the installed package, and nothing else, and runs it on the model.
if(NOT PKG_CONFIG)
  message("skipped: there is no pkg-config (Debian: pkg-config)")
  return()
endif()
set(ENV{PKG_CONFIG_PATH} "${FOUND_AT}")

function(ask question out)
  execute_process(COMMAND "${PKG_CONFIG}" ${question} sectile OUTPUT_VARIABLE said OUTPUT_STRIP_TRAILING_WHITESPACE
                                                                                  COMMAND_ERROR_IS_FATAL ANY)
  separate_arguments(said UNIX_COMMAND "${said}")
  set(${out} "${said}" PARENT_SCOPE)
endfunction()

ask(--modversion version)
if(NOT version STREQUAL VERSION)
  message(FATAL_ERROR "pkg-config says version ${version}, the project is ${VERSION}")
endif()
ask(--cflags to_compile)
ask(--libs to_link)
execute_process(COMMAND "${COMPILER}" ${FLAGS} ${to_compile} -x c++ "${SOURCE}" -x none ${to_link} -o "${PROGRAM}"
                        COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND "${PROGRAM}" COMMAND_ERROR_IS_FATAL ANY)
