// How much memory there is.
#pragma once

#include <string_view>

namespace sectile::tool {

/// Throws input_error where this program may not use `bytes` of memory: the machine has less, or its container is
/// granted less. `what` needs them.
void require_memory(double bytes, std::string_view what);

}  // namespace sectile::tool
