# Programs that test the kernels on a Hopper GPU. Without CUDA they are not built. Where this machine has no GPU that could
# run them (see cmake/for_gpu.cmake), two are part of `all`, to show that they compile, and are skipped; the target
# gpu_tests builds all of them.
if(NOT SECTILE_CUDA_FOUND)
  return()
endif()
add_custom_target(gpu_tests)
set(gpu_sample launch_edges shipped_kernels)

# sectile_add_gpu_test(NAME SOURCE...): the .cu among the sources drive a GPU and are no plain C++: nvcc alone sees them.
function(sectile_add_gpu_test name)
  list(TRANSFORM ARGN PREPEND "${CMAKE_CURRENT_SOURCE_DIR}/gpu/" OUTPUT_VARIABLE sources)
  add_executable(gpu_${name} ${sources})
  add_dependencies(gpu_tests gpu_${name})
  target_include_directories(gpu_${name} PRIVATE "${PROJECT_SOURCE_DIR}")
  target_link_libraries(gpu_${name} PRIVATE sectile::kernels sectile::launch sectile_tool)
  sectile_own_target(gpu_${name})
  set_target_properties(gpu_${name} PROPERTIES CUDA_ARCHITECTURES "${SECTILE_CUDA_ARCHITECTURES}")
  if(NOT SECTILE_BUILD_FOR_GPU AND NOT name IN_LIST gpu_sample)
    set_target_properties(gpu_${name} PROPERTIES EXCLUDE_FROM_ALL ON)
    return()
  endif()
  add_test(NAME gpu/${name} COMMAND gpu_${name})
  set_tests_properties(gpu/${name} PROPERTIES LABELS "gpu;slow" SKIP_RETURN_CODE 77 RUN_SERIAL TRUE)
endfunction()

# A family's members, for the programs that run them. The tests of families on the host prove them.
add_library(gpu_family_members STATIC EXCLUDE_FROM_ALL gpu/family_members.cu)
target_include_directories(gpu_family_members PUBLIC "${PROJECT_SOURCE_DIR}")
target_compile_definitions(gpu_family_members PRIVATE SECTILE_PROVEN)
target_link_libraries(gpu_family_members PUBLIC sectile::kernels sectile::launch sectile_tool)
sectile_own_target(gpu_family_members)
set_target_properties(gpu_family_members PROPERTIES CUDA_ARCHITECTURES "${SECTILE_CUDA_ARCHITECTURES}")

sectile_add_gpu_test(random_shapes random_shapes.cu gemm_case.cpp attention_case.cpp on_model.cpp)
target_link_libraries(gpu_random_shapes PRIVATE gpu_family_members)
sectile_add_gpu_test(random_types random_types.cu random_problem.cpp)
sectile_add_gpu_test(bad_launch bad_launch.cu gemm_case.cpp)
sectile_add_gpu_test(launch_stress launch_stress.cu count_allocations.cpp gemm_case.cpp)
sectile_add_gpu_test(launch_edges launch_edges.cu gemm_case.cpp)
sectile_add_gpu_test(launch_faults launch_faults.cu gemm_case.cpp)
sectile_add_gpu_test(launch_devices launch_devices.cu gemm_case.cpp)
sectile_add_gpu_test(checked checked.cu gemm_case.cpp attention_case.cpp)
sectile_add_gpu_test(program_forms program_forms.cu)
sectile_add_gpu_test(layers layers.cu)
sectile_add_gpu_test(vector_outputs vector_outputs.cu)
sectile_add_gpu_test(sparse_compress sparse_compress.cu)
sectile_add_gpu_test(portable portable.cu)
# A program for older GPUs: code that the driver can translate for newer ones, a Hopper among them.
sectile_add_gpu_test(before_hopper before_hopper.cu gemm_case.cpp)
set_target_properties(gpu_before_hopper PROPERTIES CUDA_ARCHITECTURES "80")
sectile_add_gpu_test(ladder ladder.cu)
sectile_add_gpu_test(roles roles.cu)
sectile_add_gpu_test(families families.cu)
target_link_libraries(gpu_families PRIVATE gpu_family_members)
sectile_add_gpu_test(shipped_kernels shipped_kernels.cpp)

# Where the tool's attention is plain C++, one of them shows here that all of the language becomes machine code.
if(NOT SECTILE_BUILD_FOR_GPU)
  add_library(gpu_attention_compiles OBJECT gpu/attention_compiles.cu)
  target_link_libraries(gpu_attention_compiles PRIVATE sectile::kernels sectile::launch)
  set_target_properties(gpu_attention_compiles PROPERTIES CUDA_ARCHITECTURES "${SECTILE_CUDA_ARCHITECTURES}")
  sectile_own_target(gpu_attention_compiles)
endif()

# Every shipped kernel under every tool of compute-sanitizer, where the toolkit has it.
find_program(SECTILE_COMPUTE_SANITIZER compute-sanitizer HINTS "${CUDAToolkit_BIN_DIR}" /usr/local/cuda/bin)
if(SECTILE_COMPUTE_SANITIZER AND SECTILE_BUILD_FOR_GPU)
  foreach(tool IN ITEMS memcheck racecheck synccheck initcheck)
    add_test(NAME gpu/sanitize/${tool} COMMAND "${SECTILE_COMPUTE_SANITIZER}" --tool ${tool} --error-exitcode 1
                                               $<TARGET_FILE:gpu_shipped_kernels>)
    set_tests_properties(gpu/sanitize/${tool} PROPERTIES LABELS "gpu;slow" SKIP_RETURN_CODE 77 RUN_SERIAL TRUE)
  endforeach()
endif()
