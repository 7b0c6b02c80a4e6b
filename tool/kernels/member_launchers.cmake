# sectile_launch_members(OUT KERNEL HEADER TYPE [KERNEL HEADER TYPE]...): writes the sources with the launches of the
# members of families, a few files for each family, and the one that lists them, all in <OUT>. Where nothing is compiled
# for a GPU the list says so. A source cannot be shared by what comes after it, so each file has a name of its own.
set(SECTILE_MEMBER_PARTS 6)

function(sectile_launch_members out)
  set(kernels "")
  set(sources "")
  set(declared "")
  set(cases "")
  math(EXPR last "${SECTILE_MEMBER_PARTS} - 1")
  set(rest ${ARGN})
  while(rest)
    list(POP_FRONT rest kernel header type)
    if(SECTILE_CUDA_FOUND AND SECTILE_BUILD_FOR_GPU)
      string(APPEND cases "  if (kernel == \"${kernel}\") {\n")
      foreach(part RANGE ${last})
        set(file "${CMAKE_CURRENT_BINARY_DIR}/${kernel}_members_${part}.cu")
        set(function "add_${kernel}_members_${part}")
        file(CONFIGURE OUTPUT "${file}" @ONLY CONTENT [[
// Made by tool/kernels/member_launchers.cmake.
#include <@header@>

#include "tool/kernels/launch_member.hpp"

namespace sectile::tool {

void @function@(std::vector<member_launcher>& to) { add_launchers<@type@, @part@, @SECTILE_MEMBER_PARTS@>(to); }

}  // namespace sectile::tool
]])
        list(APPEND kernels "${file}")
        string(APPEND declared "void ${function}(std::vector<member_launcher>& to);\n")
        string(APPEND cases "    ${function}(all);\n")
      endforeach()
      string(APPEND cases "  }\n")
    endif()
  endwhile()
  set(list "${CMAKE_CURRENT_BINARY_DIR}/member_launchers.cpp")
  file(CONFIGURE OUTPUT "${list}" @ONLY CONTENT [=[
// Made by tool/kernels/member_launchers.cmake.
#include "tool/kernels/member_launchers.hpp"

namespace sectile::tool {

@declared@
std::vector<member_launcher> member_launchers([[maybe_unused]] std::string_view kernel) {
  std::vector<member_launcher> all;
@cases@  return all;
}

}  // namespace sectile::tool
]=])
  set(${out}_kernels "${kernels}" PARENT_SCOPE)
  set(${out}_list "${list}" PARENT_SCOPE)
endfunction()
