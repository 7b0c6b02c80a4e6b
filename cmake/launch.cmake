# sectile_make_launch(): the target sectile::launch, what every launch on a GPU does. A program with kernels links it once
# instead of compiling it with each of them. It is built from source where it is used, by the host's compiler, so that
# it suits the CUDA at hand. The global property SECTILE_LAUNCH_SOURCE says where the source is.
function(sectile_make_launch)
  if(TARGET sectile_launch)
    return()
  endif()
  get_property(source GLOBAL PROPERTY SECTILE_LAUNCH_SOURCE)
  add_library(sectile_launch STATIC EXCLUDE_FROM_ALL "${source}")
  set_target_properties(sectile_launch PROPERTIES POSITION_INDEPENDENT_CODE ON)
  add_library(sectile::launch ALIAS sectile_launch)
  target_include_directories(sectile_launch SYSTEM PRIVATE ${CMAKE_CUDA_TOOLKIT_INCLUDE_DIRECTORIES})
  target_link_libraries(sectile_launch PUBLIC sectile::model)
endfunction()
