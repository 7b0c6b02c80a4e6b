# The table of wgmma instructions against ptxas, which needs no GPU. Where there is no ptxas the test says so and is
# skipped.
set(ptxas_hints "")
if(CMAKE_CUDA_COMPILER)
  cmake_path(GET CMAKE_CUDA_COMPILER PARENT_PATH ptxas_hints)
endif()
find_program(SECTILE_PTXAS ptxas HINTS ${ptxas_hints} ENV CUDA_HOME ENV CUDA_PATH PATHS /usr/local/cuda PATH_SUFFIXES bin)
mark_as_advanced(SECTILE_PTXAS)

add_executable(table_against_ptxas ptx/table_against_ptxas.cpp ptx/candidates.cpp)
target_link_libraries(table_against_ptxas PRIVATE sectile::dsl Threads::Threads)
sectile_own_target(table_against_ptxas)
add_test(NAME ptx/table_against_ptxas COMMAND table_against_ptxas "${SECTILE_PTXAS}" "${CMAKE_CURRENT_BINARY_DIR}/ptx")
set_tests_properties(ptx/table_against_ptxas PROPERTIES LABELS ptx SKIP_RETURN_CODE 77)

# What a condition of a mask costs.
if(SECTILE_CUDA_FOUND)
  sectile_run_script(ptx/predicate ptx/predicate.cmake "NVCC=${CMAKE_CUDA_COMPILER}"
                     "SOURCE=${CMAKE_CURRENT_LIST_DIR}/predicate.cu" "INCLUDE=${PROJECT_SOURCE_DIR}/include"
                     "FOLDER=${CMAKE_CURRENT_BINARY_DIR}/ptx" CONFIGURATIONS exhaustive)
  # What orders memory between threads, verb by verb.
  sectile_run_script(ptx/orders ptx/orders.cmake "NVCC=${CMAKE_CUDA_COMPILER}"
                     "SOURCE=${CMAKE_CURRENT_LIST_DIR}/orders.cu" "INCLUDE=${PROJECT_SOURCE_DIR}/include"
                     "PTX=${CMAKE_CURRENT_BINARY_DIR}/orders.ptx")
  set_tests_properties(ptx/orders PROPERTIES LABELS ptx)
  # What a role holds is in registers: an object whose address is taken would be in memory, with all that it has.
  sectile_run_script(ptx/no_local_memory ptx/no_local_memory.cmake "COMPILER=${CMAKE_CUDA_COMPILER}"
                     "SOURCE=${CMAKE_CURRENT_LIST_DIR}/no_local_memory.cu" "INCLUDE=${PROJECT_SOURCE_DIR}/include"
                     "PTX=${CMAKE_CURRENT_BINARY_DIR}/no_local_memory.ptx" "KERNELS=4")
  sectile_run_script(ptx/no_local_memory_in_any ptx/no_local_memory.cmake "COMPILER=${CMAKE_CUDA_COMPILER}"
                     "SOURCE=${CMAKE_CURRENT_LIST_DIR}/no_local_memory.cu" "INCLUDE=${PROJECT_SOURCE_DIR}/include"
                     "PTX=${CMAKE_CURRENT_BINARY_DIR}/no_local_memory_in_any.ptx" "KERNELS=10"
                     "FLAGS=-DSECTILE_EXHAUSTIVELY" CONFIGURATIONS exhaustive)
  set_tests_properties(ptx/no_local_memory_in_any PROPERTIES LABELS "ptx;exhaustive")
  # A body that is not inlined into its kernel: ptxas says so, and what to write. One that is compiles.
  foreach(where IN ITEMS noinline always_inline)
    add_test(NAME ptx/body_${where}
             COMMAND ${CMAKE_CUDA_COMPILER} -std=c++20 --expt-relaxed-constexpr -gencode=arch=compute_90a,code=sm_90a
                     -DSECTILE_PROVEN -DWHERE=${where} -I${PROJECT_SOURCE_DIR}/include -cubin
                     ${CMAKE_CURRENT_LIST_DIR}/body_of_its_own.cu -o ${CMAKE_CURRENT_BINARY_DIR}/body_${where}.cubin)
    set_tests_properties(ptx/body_${where} PROPERTIES LABELS ptx)
  endforeach()
  set_tests_properties(ptx/body_noinline PROPERTIES PASS_REGULAR_EXPRESSION
                                                    "Unknown symbol 'this_body_is_too_long_to_be_inlined__write__gnu__")
  add_test(NAME ptx/largest_proof
           COMMAND ${CMAKE_CUDA_COMPILER} -std=c++20 --expt-relaxed-constexpr -gencode=arch=compute_90a,code=compute_90a
                   -I${PROJECT_SOURCE_DIR}/include -ptx ${CMAKE_CURRENT_LIST_DIR}/largest_proof.cu -o
                   ${CMAKE_CURRENT_BINARY_DIR}/largest_proof.ptx)
  set_tests_properties(ptx/no_local_memory ptx/largest_proof PROPERTIES LABELS "ptx;slow")
  set_tests_properties(ptx/predicate PROPERTIES LABELS "ptx;slow;exhaustive")
endif()
