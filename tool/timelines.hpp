// Timelines of the kernels that the tool knows.
#pragma once

#include <optional>
#include <sectile/dsl/tell/timeline/timeline_of_kernel.hpp>
#include <string>

#include "tool/kernel_list.hpp"

namespace sectile::tool {

/// The timeline of a kernel's first cluster on the model: a run of `shape`, or of sizes that show the kernel's
/// pipeline. A kernel that the model does not run by wgmma says so in `refused`. Throws input_error for a shape that is
/// none.
tell::kernel_timeline timeline_of(const kernel_facts& kernel, const std::optional<std::string>& shape = {});

}  // namespace sectile::tool
