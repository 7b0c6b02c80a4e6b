# sectile_add_operator(TARGET HEADER KERNEL TYPE [NAME NAME] [SUMMARY TEXT] [LIBRARIES TARGET...])
#
# A kernel of one's own as an operator: TARGET is a library that sectile.load() of the Python package loads, and any
# program through dsl/operator/abi.hpp. Nothing of it stands in HEADER, which declares the struct TYPE. The same TARGET
# may be given again, for another kernel.
#
#   NAME       of the operator; if not given, TYPE without its namespace, and with '_' for what is no letter or digit
#   SUMMARY    one line: what the kernel computes
#   LIBRARIES  whose headers HEADER includes
#
# With CUDA the operator runs on the GPU where its tensors are there; without, and on tensors in host memory, on the
# model. The library needs no driver to be loaded.
function(sectile_add_operator target header)
  cmake_parse_arguments(PARSE_ARGV 2 operator "" "KERNEL;NAME;SUMMARY" "LIBRARIES")
  set(call "sectile_add_operator(${target})")
  if(operator_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "${call}: '${operator_UNPARSED_ARGUMENTS}' is no argument of it")
  elseif(NOT operator_KERNEL)
    message(FATAL_ERROR "${call}: say which kernel, with KERNEL and the name of its struct")
  endif()
  cmake_path(ABSOLUTE_PATH header NORMALIZE)
  if(NOT EXISTS "${header}")
    message(FATAL_ERROR "${call}: there is no file ${header}")
  endif()
  if(NOT operator_NAME)
    sectile_name_kernel(operator_NAME "${operator_KERNEL}")
  endif()

  if(NOT TARGET ${target})
    set(symbol "${CMAKE_CURRENT_BINARY_DIR}/${target}_operators.cpp")
    file(CONFIGURE OUTPUT "${symbol}" @ONLY CONTENT [[
#include <sectile/dsl/operator/set.hpp>

extern "C" __attribute__((visibility("default"))) const sectile::operator_set* sectile_operators() {
  return &sectile::operator_set_here();
}
]])
    add_library(${target} MODULE "${symbol}")
    set_target_properties(
      ${target}
      PROPERTIES CXX_VISIBILITY_PRESET hidden
                 CUDA_VISIBILITY_PRESET hidden
                 VISIBILITY_INLINES_HIDDEN ON
                 CUDA_RUNTIME_LIBRARY Static
                 PREFIX ""
                 OUTPUT_NAME ${target})
    target_link_libraries(${target} PRIVATE sectile::operator)
    # What two libraries have of Sectile, be they of two versions, does not meet in one process.
    target_link_options(${target} PRIVATE "LINKER:--exclude-libs,ALL")
  endif()
  target_link_libraries(${target} PRIVATE ${operator_LIBRARIES})
  set(source "${CMAKE_CURRENT_BINARY_DIR}/${target}_${operator_NAME}.cu")
  file(CONFIGURE OUTPUT "${source}" @ONLY CONTENT [[
#include "@header@"

#include <sectile/dsl/operator/operator_of.hpp>
#include <sectile/dsl/operator/set.hpp>

namespace {
constexpr sectile::operator_of<@operator_KERNEL@> made(R"text(@operator_NAME@)text", R"text(@operator_SUMMARY@)text");
const sectile::operator_in_set added(made.facts());
}  // namespace
]])
  sectile_add_kernel(${target} "${source}")
endfunction()
