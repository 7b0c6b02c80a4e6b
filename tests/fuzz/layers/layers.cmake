# Random layers on the model, against plain loops. A few here, always the same; campaign.py tries as many as there is
# time for:
#
#   python3 tests/fuzz/layers/campaign.py --layers 200 --seed SEED --work FOLDER --include include . \
#     --link "build/libsectile_model.a build/libsectile_launch.a -lboost_context -lpthread -ldl"
if(NOT Python3_FOUND)
  return()
endif()
foreach(seed IN ITEMS 3021 3026 3044 3110)
  set(here "${CMAKE_CURRENT_LIST_DIR}")
  set(source "${CMAKE_CURRENT_BINARY_DIR}/random_layers/layer_${seed}.cpp")
  add_custom_command(
    OUTPUT "${source}"
    COMMAND Python3::Interpreter -B "${here}/layer.py" ${seed} "${source}"
    DEPENDS "${here}/layer.py"
    VERBATIM)
  add_executable(random_layer_${seed} "${source}")
  target_include_directories(random_layer_${seed} PRIVATE "${here}" "${PROJECT_SOURCE_DIR}")
  target_link_libraries(random_layer_${seed} PRIVATE sectile::kernels sectile::model)
  set_source_files_properties("${source}" PROPERTIES COMPILE_OPTIONS "-w;-O0")  # nobody reads it
  add_test(NAME fuzz/layers/${seed} COMMAND random_layer_${seed})
  set_tests_properties(fuzz/layers/${seed} PROPERTIES LABELS fuzz)
endforeach()
