# Families of kernels: NAME.cu defines NAME_kernels(), or NAME_readings() where NAME begins with portable_, and
# NAME_records.cpp, which may be missing, NAME_records(). In the order of `sectile list`.
set(SECTILE_KERNEL_FAMILIES gemm_bf16 gemm_bf16_forms gemm_f16_tf32 gemm_fp8 block_scaled grouped convolutions gemm_integer
                            sparse_wide sparse_8bit layers layer_outputs rows attention attention_forms decode attention_gradients ladder
                            portable_wmma portable_simt
    CACHE INTERNAL "Families of kernels of the tool")
set(SECTILE_TOOL_KERNELS all CACHE STRING "Families of kernels that the tool is built with: all, or some of \
${SECTILE_KERNEL_FAMILIES}")
# A record is what a page is made of, and the proof of a kernel that is compiled for a launch without one.
set(SECTILE_TOOL_RECORDS all CACHE STRING "Families of kernels of which the tool makes pages: all, or some of \
${SECTILE_KERNEL_FAMILIES}")
# To run a kernel's roles once more, on given sizes, is nearly half of what its record takes to compile.
set(SECTILE_TOOL_PROTOCOLS all CACHE STRING "Families of kernels of which the tool exports the protocol for SPIN: all, or \
some of ${SECTILE_KERNEL_FAMILIES}")
# To plan the kernels beside it, and to run the roles of those, is most of the rest.
set(SECTILE_TOOL_NEIGHBOURS all CACHE STRING "Families of kernels whose tutorials say what becomes of them in other \
configurations: all, or some of ${SECTILE_KERNEL_FAMILIES}")

# sectile_has_record(FAMILY RESULT)
function(sectile_has_record family result)
  set(${result} FALSE PARENT_SCOPE)
  if(EXISTS "${PROJECT_SOURCE_DIR}/tool/kernels/${family}_records.cpp" AND
     (SECTILE_TOOL_RECORDS STREQUAL "all" OR family IN_LIST SECTILE_TOOL_RECORDS))
    set(${result} TRUE PARENT_SCOPE)
  endif()
endfunction()

# sectile_list_families(FILE FAMILY...): writes the C++ source that lists them.
function(sectile_list_families file)
  set(declared "")
  foreach(kind IN ITEMS kernels readings records)
    set(${kind} "")
  endforeach()
  foreach(family IN LISTS ARGN)
    if(NOT family IN_LIST SECTILE_KERNEL_FAMILIES)
      list(JOIN SECTILE_KERNEL_FAMILIES ", " known)
      message(FATAL_ERROR "SECTILE_TOOL_KERNELS: there is no family '${family}' of kernels; there are ${known}")
    endif()
    if(family MATCHES "^portable_")
      string(APPEND declared "std::span<const portable_reading> ${family}_readings();\n")
      string(APPEND readings "${family}_readings, ")
    else()
      string(APPEND declared "std::span<const kernel_facts> ${family}_kernels();\n")
      string(APPEND kernels "${family}_kernels, ")
    endif()
    sectile_has_record(${family} has_record)
    if(has_record)
      string(APPEND declared "std::vector<recorded_kernel> ${family}_records();\n")
      string(APPEND records "${family}_records, ")
    endif()
  endforeach()
  set(left_out ${SECTILE_KERNEL_FAMILIES})
  list(REMOVE_ITEM left_out ${ARGN})
  list(JOIN left_out ", " left_out)
  file(CONFIGURE OUTPUT "${file}" @ONLY CONTENT [[
// Made by tool/kernels/families.cmake.
#include "tool/kernels/families.hpp"

namespace sectile::tool {

@declared@
const families& built_families() {
  static const families built{{@kernels@}, {@readings@}, {@records@}, "@left_out@"};
  return built;
}

}  // namespace sectile::tool
]])
endfunction()
