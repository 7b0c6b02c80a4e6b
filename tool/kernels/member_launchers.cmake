# Families: kernels whose program is shipped in several configurations, by the name of the kernel with the same program.
set(SECTILE_FAMILY_NAMES gemm_bf16 gemm_bf16_split gemm_f16 gemm_f16_f16 gemm_tf32 gemm_e4m3 gemm_e5m2 gemm_e4m3_e5m2 gemm_e5m2_e4m3 gemm_s8
                         gemm_u8 gemm_b1 sparse_gemm_f16 sparse_gemm_bf16 sparse_gemm_tf32 sparse_gemm_e4m3 sparse_gemm_e5m2
                         sparse_gemm_s8 sparse_gemm_u8 convolution_bf16 block_scaled_gemm_e4m3 CACHE INTERNAL "Families of kernels")
set(SECTILE_TOOL_FAMILIES gemm_bf16 CACHE STRING "Families that the tool explains, tunes and races: all, or some of \
${SECTILE_FAMILY_NAMES}. Each is dozens of kernels to compile")

# sectile_launch_members(OUT FAMILY...): writes the sources that tell of families, FAMILY as the type
# kernels::<FAMILY>_family of its header, and with the launches of their members, a few files for each family, and the
# one that lists them: all in <OUT>_kernels (for nvcc) and <OUT>_sources. Where nothing is compiled for a GPU the list says
# so. A source cannot be shared by what comes after it, so each file has a name of its own.
set(SECTILE_MEMBER_PARTS 6)

function(sectile_launch_members out)
  set(kernels "")
  set(sources "")
  set(declared "")
  set(cases "")
  set(all "")
  math(EXPR last "${SECTILE_MEMBER_PARTS} - 1")
  foreach(kernel IN LISTS ARGN)
    if(NOT kernel IN_LIST SECTILE_FAMILY_NAMES)
      list(JOIN SECTILE_FAMILY_NAMES ", " known)
      message(FATAL_ERROR "SECTILE_TOOL_FAMILIES: there is no family '${kernel}'; there are ${known}")
    endif()
    set(type "${kernel}_family")
    set(header sectile/kernels/gemm_family.hpp)
    if(kernel MATCHES "^sparse_")
      set(header sectile/kernels/sparse_gemm_family.hpp)
    elseif(kernel MATCHES "^convolution_")
      set(header sectile/kernels/convolution_family.hpp)
    elseif(kernel MATCHES "^block_scaled_")
      set(header sectile/kernels/block_scaled_family.hpp)
    endif()
    set(facts "${CMAKE_CURRENT_BINARY_DIR}/${type}.cpp")
    file(CONFIGURE OUTPUT "${facts}" @ONLY CONTENT [[
// Made by tool/kernels/member_launchers.cmake.
#include <@header@>

#include "tool/family_list.hpp"

namespace sectile::tool {

const shipped_family& tell_@type@() {
  static constexpr shipped_family told = list_family<kernels::@type@>("@kernel@", "@header@", "@type@");
  return told;
}

}  // namespace sectile::tool
]])
    list(APPEND sources "${facts}")
    string(APPEND declared "const shipped_family& tell_${type}();\n")
    string(APPEND all "&tell_${type}(), ")
    if(SECTILE_CUDA_FOUND AND SECTILE_BUILD_FOR_GPU)
      string(APPEND cases "  if (kernel == \"${kernel}\") {\n")
      foreach(part RANGE ${last})
        set(file "${CMAKE_CURRENT_BINARY_DIR}/${kernel}_members_${part}.cu")
        set(function "add_${kernel}_members_${part}")
        file(CONFIGURE OUTPUT "${file}" @ONLY CONTENT [[
// Made by tool/kernels/member_launchers.cmake.
#define SECTILE_NO_TABLES  // members are asked for by number here: a new table is no reason to compile them again
#include <@header@>

#include "tool/kernels/launch_member.hpp"

namespace sectile::tool {

void @function@(std::vector<member_launcher>& to) { add_launchers<kernels::@type@, @part@, @SECTILE_MEMBER_PARTS@>(to); }

}  // namespace sectile::tool
]])
        list(APPEND kernels "${file}")
        string(APPEND declared "void ${function}(std::vector<member_launcher>& to);\n")
        string(APPEND cases "    ${function}(all);\n")
      endforeach()
      string(APPEND cases "  }\n")
    endif()
  endforeach()
  set(list "${CMAKE_CURRENT_BINARY_DIR}/member_launchers.cpp")
  file(CONFIGURE OUTPUT "${list}" @ONLY CONTENT [=[
// Made by tool/kernels/member_launchers.cmake.
#include "tool/kernels/member_launchers.hpp"

#include "tool/family_list.hpp"

namespace sectile::tool {

@declared@
std::vector<const shipped_family*> shipped_families() { return {@all@}; }

std::vector<member_launcher> member_launchers([[maybe_unused]] std::string_view kernel) {
  std::vector<member_launcher> all;
@cases@  return all;
}

}  // namespace sectile::tool
]=])
  set(${out}_kernels "${kernels}" PARENT_SCOPE)
  set(${out}_sources "${sources};${list}" PARENT_SCOPE)
endfunction()
