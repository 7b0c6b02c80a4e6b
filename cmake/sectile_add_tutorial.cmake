# sectile_add_tutorial(TARGET HEADER KERNEL TYPE [NAME NAME] [OUT FOLDER] [SUMMARY TEXT] [REFERENCE FUNCTION]
#                      [SIZES MODE=SIZE...] [SCALARS NAME=NUMBER...] [SEED N] [LIBRARIES TARGET...] [ALL])
#
# A target that writes the page of a kernel of one's own: FOLDER/NAME.html, which needs nothing beside it, NAME.md and
# figures/. HEADER declares the struct TYPE; its file is compiled by the host compiler, as plain C++, and the kernel runs
# on the model. A kernel that is refused gets a page with the refusal. The page is made again when the header changes.
#
#   NAME       of the page's files; if not given, TYPE without its namespace, and with '_' for what is no letter or digit
#   OUT        relative to the binary folder, which it is if not given
#   SUMMARY    one line: what the kernel computes
#   REFERENCE  a function void(const sectile::named_inputs&, sectile::tensor_values&) of HEADER that computes the same
#              in float64; without it the page says that the numbers were not compared
#   SIZES      of named modes in the run; others are two tiles
#   SCALARS    values of scalar operands in the run; others are drawn at random
#   LIBRARIES  whose headers HEADER includes
#   ALL        as part of the default build
#
# Making a page takes Python 3 with Jinja2, markdown-it-py and Pygments; where they are missing, the target fails and
# says so.
function(sectile_add_tutorial target header)
  cmake_parse_arguments(PARSE_ARGV 2 page "ALL" "KERNEL;NAME;OUT;SUMMARY;REFERENCE;SEED" "SIZES;SCALARS;LIBRARIES")
  set(call "sectile_add_tutorial(${target})")
  if(page_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "${call}: '${page_UNPARSED_ARGUMENTS}' is no argument of it")
  elseif(NOT page_KERNEL)
    message(FATAL_ERROR "${call}: say which kernel, with KERNEL and the name of its struct")
  elseif(NOT TARGET sectile::tell)
    message(FATAL_ERROR "${call}: this Sectile was built without nlohmann-json (Debian: nlohmann-json3-dev), so it "
                        "cannot tell about kernels")
  endif()
  cmake_path(ABSOLUTE_PATH header NORMALIZE)
  if(NOT EXISTS "${header}")
    message(FATAL_ERROR "${call}: there is no file ${header}")
  endif()
  if(NOT page_NAME)
    sectile_name_kernel(page_NAME "${page_KERNEL}")
  endif()
  if(NOT page_OUT)
    set(page_OUT "${CMAKE_CURRENT_BINARY_DIR}")
  endif()
  cmake_path(ABSOLUTE_PATH page_OUT BASE_DIRECTORY "${CMAKE_CURRENT_BINARY_DIR}" NORMALIZE)

  set(reference "{}")
  if(page_REFERENCE)
    set(reference "${page_REFERENCE}")
  endif()
  set(program "${CMAKE_CURRENT_BINARY_DIR}/${target}_program.cpp")
  file(CONFIGURE OUTPUT "${program}" @ONLY CONTENT [[
#include "@header@"

#include <sectile/dsl/tell/tutorial.hpp>

int main(int count, char** words) {
  sectile::tutorial_options options;
  options.name = R"text(@page_NAME@)text";
  options.summary = R"text(@page_SUMMARY@)text";
  options.source_root = R"text(@CMAKE_CURRENT_SOURCE_DIR@)text";
  options.run.reference = @reference@;
  return sectile::tutorial_main<@page_KERNEL@>(count, words, options);
}
]])
  add_executable(${target}_program EXCLUDE_FROM_ALL "${program}")
  target_link_libraries(${target}_program PRIVATE sectile::tell sectile::kernels ${page_LIBRARIES})
  # Lines of the program are found by its debug information. What the header asserts of its kernel is proven all the
  # same, but a refusal goes to the page.
  target_compile_options(${target}_program PRIVATE -O1 -g1 -gdwarf-4)
  target_compile_definitions(${target}_program PRIVATE SECTILE_PROVEN)

  set(arguments --out "${page_OUT}")
  if(page_SIZES)
    list(JOIN page_SIZES "," sizes)
    list(APPEND arguments --sizes "${sizes}")
  endif()
  if(page_SCALARS)
    list(JOIN page_SCALARS "," scalars)
    list(APPEND arguments --scalars "${scalars}")
  endif()
  if(DEFINED page_SEED)
    list(APPEND arguments --seed "${page_SEED}")
  endif()
  add_custom_command(
    OUTPUT "${page_OUT}/${page_NAME}.html"
    COMMAND ${target}_program ${arguments}
    DEPENDS ${target}_program "${header}"
    COMMENT "Writing the page of ${page_KERNEL}"
    VERBATIM)
  set(all)
  if(page_ALL)
    set(all ALL)
  endif()
  add_custom_target(${target} ${all} DEPENDS "${page_OUT}/${page_NAME}.html")
endfunction()
