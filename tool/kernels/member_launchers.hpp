// Launches of the members of a family, by their numbers. They are compiled in several files each, so that they compile
// side by side; member_launchers.cmake makes the files.
#pragma once

#include <sectile/dsl/launch/workspace.hpp>
#include <span>
#include <string_view>
#include <vector>

#include "tool/argument.hpp"

namespace sectile::tool {

/// Queues a launch of a member on a stream of CUDA's. Arguments in the order of the operands, in device memory; `room` is
/// for members that need a workspace.
using member_launcher = void (*)(std::span<const argument> on_device, const workspace& room, void* stream);

/// Those of the family with that kernel's program, in the order of its configurations; none where this build has no
/// machine code of them.
std::vector<member_launcher> member_launchers(std::string_view kernel);

}  // namespace sectile::tool
