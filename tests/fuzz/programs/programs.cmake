# Random programs against an oracle that knows the hardware's rules, and on the model against a naive reading of the body.
# A handful here, always the same; campaign.py runs as many as there is time for.
find_package(Python3 COMPONENTS Interpreter)
if(NOT Python3_FOUND)
  return()
endif()

# sectile_add_random_programs(NAME LEVEL FILES COUNT PER_FILE OPTION... [CONFIGURATIONS exhaustive]): COUNT generated
# programs in FILES files, and a ctest.
function(sectile_add_random_programs name level files count per_file)
  cmake_parse_arguments(PARSE_ARGV 5 its "" "CONFIGURATIONS" "")
  set(here "${CMAKE_CURRENT_SOURCE_DIR}/fuzz/programs")
  set(there "${CMAKE_CURRENT_BINARY_DIR}/random_programs/${name}")
  set(sources "")
  math(EXPR last "${files} - 1")
  foreach(i RANGE ${last})
    list(APPEND sources "${there}/programs_${i}.cpp")
  endforeach()
  file(GLOB generator CONFIGURE_DEPENDS "${here}/*.py")
  add_custom_command(
    OUTPUT ${sources}
    COMMAND Python3::Interpreter -B "${here}/generate.py" --seed 1 --count ${count} --per-file ${per_file}
            --out "${there}" ${its_UNPARSED_ARGUMENTS}
    DEPENDS ${generator}
    VERBATIM)
  add_executable(random_programs_${name} "${here}/programs.cpp" ${sources})
  target_compile_definitions(random_programs_${name} PRIVATE SECTILE_FUZZ_LEVEL=${level})
  target_include_directories(random_programs_${name} PRIVATE "${PROJECT_SOURCE_DIR}")
  target_link_libraries(random_programs_${name} PRIVATE sectile::kernels sectile::model sectile_tool)
  # What is generated is not read by anybody, and is compiled as fast as can be. Sparse programs crash g++ 12 at -O0.
  set(fast $<IF:$<EQUAL:${level},0>,-O0,-O1>)
  set_source_files_properties(${sources} PROPERTIES COMPILE_OPTIONS "-w;${fast}")
  add_test(NAME fuzz/programs/${name} COMMAND random_programs_${name} CONFIGURATIONS ${its_CONFIGURATIONS})
  set_tests_properties(fuzz/programs/${name} PROPERTIES LABELS "fuzz;${its_CONFIGURATIONS}")
  if(its_CONFIGURATIONS)
    set_target_properties(random_programs_${name} PROPERTIES EXCLUDE_FROM_ALL ON)
    sectile_build_exhaustively(fuzz/programs/build_${name} random_programs_${name} fuzz)
    set_tests_properties(fuzz/programs/${name} PROPERTIES FIXTURES_REQUIRED random_programs_${name})
  endif()
endfunction()

sectile_add_random_programs(planned 0 1 24 24)
sectile_add_random_programs(run 2 1 2 2 --small --legal-only)
sectile_add_random_programs(more_planned 0 2 120 60 CONFIGURATIONS exhaustive)
sectile_add_random_programs(more_run 2 2 8 4 --small --legal-only CONFIGURATIONS exhaustive)
