# What `python3 bench/peers` and bench/comparison.py race, a shared library each with the same C functions: Sectile's
# families, and, where they are found, cuBLASLt, cuSPARSELt, CUTLASS, the GEMM of CuTe's tutorial and ThunderKittens'.
# Attentions of the last two systems are libraries of their own.
set(peers "${CMAKE_CURRENT_LIST_DIR}")

# sectile_add_peer_library(TARGET SOURCE...)
function(sectile_add_peer_library target)
  list(TRANSFORM ARGN PREPEND "${peers}/")
  add_library(${target} SHARED ${ARGN})
  target_include_directories(${target} SYSTEM PRIVATE ${CMAKE_CUDA_TOOLKIT_INCLUDE_DIRECTORIES})
  sectile_add_gpu_bench(${target})
endfunction()
# sectile_add_peer(NAME SOURCE...)
function(sectile_add_peer name)
  sectile_add_peer_library(peer_${name} ${ARGN} c_interface.cpp)
endfunction()

sectile_add_peer(sectile sectile.cu sectile_bf16.cu sectile_e4m3.cu sectile_s8.cu sectile_sparse.cu)
target_sources(peer_sectile PRIVATE ${launch_sources})
# The tool's build proves these members by the host's compiler; here they are dozens in a file.
target_compile_definitions(peer_sectile PRIVATE SECTILE_PROVEN)

if(TARGET CUDA::cublasLt)
  sectile_add_peer(cublaslt cublaslt.cu)
  target_link_libraries(peer_cublaslt PRIVATE CUDA::cublasLt)
  if(SECTILE_CUSPARSELT_INCLUDE AND SECTILE_CUSPARSELT_LIBRARY)
    sectile_add_peer(cusparselt cusparselt.cu)
    target_link_libraries(peer_cusparselt PRIVATE CUDA::cublasLt)
    sectile_find_cusparselt(peer_cusparselt)
  endif()
endif()

# ThunderKittens' GEMM and attention, which are built as their own Makefiles do it.
set(SECTILE_KITTENS_ROOT "" CACHE PATH "Folder that holds ThunderKittens, for bench/comparison.py")
if(EXISTS "${SECTILE_KITTENS_ROOT}/kernels/gemm/bf16_h100/bf16_h100_gemm.cu")
  execute_process(COMMAND git -C "${SECTILE_KITTENS_ROOT}" rev-parse --short=12 HEAD OUTPUT_VARIABLE commit ERROR_QUIET
                  OUTPUT_STRIP_TRAILING_WHITESPACE)
  sectile_add_peer(kittens kittens_gemm.cu)
  sectile_add_peer_library(attentions_kittens kittens_attention.cu kittens_template_attention.cu attentions.cpp)
  foreach(target IN ITEMS peer_kittens attentions_kittens)
    target_include_directories(${target} SYSTEM PRIVATE
      "${SECTILE_KITTENS_ROOT}/include" "${SECTILE_KITTENS_ROOT}/prototype" "${SECTILE_KITTENS_ROOT}/kernels")
    target_compile_definitions(${target} PRIVATE NDEBUG KITTENS_HOPPER KITTENS_COMMIT="${commit}")
    target_compile_options(${target} PRIVATE
      "$<$<COMPILE_LANGUAGE:CUDA>:--use_fast_math;--expt-extended-lambda;-Xcompiler=-fno-strict-aliasing>")
    target_link_libraries(${target} PRIVATE CUDA::cuda_driver)
  endforeach()
else()
  message(STATUS "Sectile: bench/comparison.py leaves ThunderKittens out; SECTILE_KITTENS_ROOT may say where it is")
endif()

# CUTLASS's headers: of a checkout of it, or of PyPI's nvidia-cutlass, whose module is cutlass_library.
set(SECTILE_CUTLASS_ROOT "" CACHE PATH "Folder that holds CUTLASS's include/ and tools/, for the race of peers")
if(NOT SECTILE_CUTLASS_ROOT AND NOT DEFINED CACHE{SECTILE_CUTLASS_IN_PYTHON})
  find_package(Python3 QUIET COMPONENTS Interpreter)
  set(found "")
  if(Python3_EXECUTABLE)
    set(where "import importlib.util as u; print(u.find_spec('cutlass_library').submodule_search_locations[0])")
    execute_process(COMMAND "${Python3_EXECUTABLE}" -c "${where}" OUTPUT_VARIABLE found ERROR_QUIET
                    OUTPUT_STRIP_TRAILING_WHITESPACE)
  endif()
  set(SECTILE_CUTLASS_IN_PYTHON "${found}" CACHE INTERNAL "Where Python has cutlass_library")
endif()
find_path(SECTILE_CUTLASS_INCLUDE cutlass/gemm/collective/collective_builder.hpp
          HINTS "${SECTILE_CUTLASS_ROOT}/include" "${SECTILE_CUTLASS_IN_PYTHON}/source/include")
find_path(SECTILE_CUTLASS_UTILITIES cutlass/util/packed_stride.hpp
          HINTS "${SECTILE_CUTLASS_INCLUDE}/../tools/util/include")
mark_as_advanced(SECTILE_CUTLASS_INCLUDE SECTILE_CUTLASS_UTILITIES)
if(NOT SECTILE_CUTLASS_INCLUDE OR NOT SECTILE_CUTLASS_UTILITIES)
  message(STATUS "Sectile: the race of peers leaves CUTLASS out: its headers were not found; SECTILE_CUTLASS_ROOT may "
                 "say where, or `pip install nvidia-cutlass`")
  return()
endif()
sectile_add_peer(cutlass cutlass.cu cutlass_bf16.cu cutlass_e4m3.cu cutlass_s8.cu cutlass_sparse.cu cutlass_stream_k.cu)
target_include_directories(peer_cutlass SYSTEM PRIVATE "${SECTILE_CUTLASS_INCLUDE}" "${SECTILE_CUTLASS_UTILITIES}")
# Its assertions are calls, around which wgmma would wait.
target_compile_definitions(peer_cutlass PRIVATE NDEBUG)
target_link_libraries(peer_cutlass PRIVATE CUDA::cuda_driver)

# Its examples: of a checkout only.
if(NOT EXISTS "${SECTILE_CUTLASS_ROOT}/examples/88_hopper_fmha")
  message(STATUS "Sectile: bench/comparison.py leaves CuTe and CUTLASS's attention out; SECTILE_CUTLASS_ROOT may say "
                 "where its examples are")
  return()
endif()
sectile_add_peer(cute cute_gemm.cu)
sectile_add_peer_library(attentions_cutlass cutlass_attention.cu attentions.cpp)
foreach(target IN ITEMS peer_cute attentions_cutlass)
  target_include_directories(${target} SYSTEM PRIVATE
    "${SECTILE_CUTLASS_INCLUDE}" "${SECTILE_CUTLASS_UTILITIES}" "${SECTILE_CUTLASS_ROOT}/examples"
    "${SECTILE_CUTLASS_ROOT}/examples/88_hopper_fmha")
  target_compile_definitions(${target} PRIVATE NDEBUG)
  target_link_libraries(${target} PRIVATE CUDA::cuda_driver)
endforeach()
