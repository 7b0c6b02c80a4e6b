# Every wgmma: the CPU model against a scalar reference, which needs no GPU, and a Hopper GPU against the model.
set(conformance_dir "${CMAKE_CURRENT_SOURCE_DIR}/gpu/conformance")

add_library(conformance_cases OBJECT)
foreach(part IN ITEMS data cases findings model_answer)
  target_sources(conformance_cases PRIVATE "${conformance_dir}/${part}.cpp")
endforeach()
target_link_libraries(conformance_cases PUBLIC sectile::model)
target_compile_options(conformance_cases PRIVATE $<$<CONFIG:Release>:-O2>)
sectile_own_target(conformance_cases)

add_executable(model_check "${conformance_dir}/model_check.cpp")
target_link_libraries(model_check PRIVATE conformance_cases Threads::Threads)
sectile_own_target(model_check)
# Every fifth row of the table, where the widths of each family of types are 18 or 32 in a row: all families, storage orders
# and signs, but not each with each width. The exhaustive test goes through all.
add_test(NAME model/every_fifth_instruction COMMAND model_check --every 5)
set_tests_properties(model/every_fifth_instruction PROPERTIES LABELS model)
add_test(NAME model/every_instruction COMMAND model_check CONFIGURATIONS exhaustive)
set_tests_properties(model/every_instruction PROPERTIES LABELS "model;exhaustive")

# Not built by default: compiling every instruction takes minutes. No test either, for it needs a GPU:
#   cmake --build build --target gpu_conformance && build/tests/gpu_conformance --page docs/conformance.md
if(SECTILE_CUDA_FOUND)
  find_package(fmt REQUIRED)
  add_executable(gpu_conformance EXCLUDE_FROM_ALL "${conformance_dir}/mma_sync.cu")
  file(GLOB probes CONFIGURE_DEPENDS "${conformance_dir}/probe*.cpp")
  target_sources(gpu_conformance PRIVATE ${probes})
  foreach(part IN ITEMS conformance gpu_runner page)
    target_sources(gpu_conformance PRIVATE "${conformance_dir}/${part}.cpp")
  endforeach()
  target_sources(gpu_conformance PRIVATE "${PROJECT_SOURCE_DIR}/tool/progress.cpp")
  target_include_directories(gpu_conformance PRIVATE "${PROJECT_SOURCE_DIR}")
  target_include_directories(gpu_conformance SYSTEM PRIVATE ${CMAKE_CUDA_TOOLKIT_INCLUDE_DIRECTORIES})
  target_link_libraries(gpu_conformance PRIVATE conformance_cases fmt::fmt Threads::Threads)
  sectile_own_target(gpu_conformance)
  set_target_properties(gpu_conformance PROPERTIES CUDA_ARCHITECTURES "${SECTILE_CUDA_ARCHITECTURES}")

  # The kernels of one family at a time, so that they compile in parallel.
  foreach(family RANGE 16)
    set(rows gpu_conformance_rows_${family})
    add_library(${rows} OBJECT EXCLUDE_FROM_ALL "${conformance_dir}/rows.cu")
    target_compile_definitions(${rows} PRIVATE SECTILE_FAMILY=${family})
    target_link_libraries(${rows} PRIVATE sectile::dsl)
    sectile_own_target(${rows})
    set_target_properties(${rows} PROPERTIES CUDA_ARCHITECTURES "${SECTILE_CUDA_ARCHITECTURES}")
    target_link_libraries(gpu_conformance PRIVATE ${rows})
  endforeach()
endif()
