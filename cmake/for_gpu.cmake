# SECTILE_BUILD_FOR_GPU: whether everything that could run on a GPU is compiled for it. Machine code takes most of a
# build's time, and where there is no GPU a sample of it shows as much: that it compiles.
set(SECTILE_GPU AUTO CACHE STRING "Compile every kernel of the tool and of the tests for the GPU: AUTO (where there is \
one), ON or OFF (a sample, to show that they compile)")
set_property(CACHE SECTILE_GPU PROPERTY STRINGS AUTO ON OFF)
set(SECTILE_BUILD_FOR_GPU ${SECTILE_GPU})
if(SECTILE_GPU STREQUAL "AUTO")
  set(SECTILE_BUILD_FOR_GPU OFF)
  file(GLOB devices "/dev/nvidia[0-9]*" "/dev/dxg")
  if(devices)
    set(SECTILE_BUILD_FOR_GPU ON)
  endif()
endif()
if(SECTILE_CUDA_FOUND AND NOT SECTILE_BUILD_FOR_GPU)
  message(STATUS "Sectile: this machine has no GPU, so none of the tool's kernels and few of the GPU's tests are compiled "
                 "for one: -DSECTILE_GPU=ON compiles all")
endif()
