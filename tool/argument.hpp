// An argument of a launch as the tool's commands make it, whose type is known at run time only.
#pragma once

#include <sectile/dsl/operator/untyped_argument.hpp>

namespace sectile::tool {

using argument = untyped_argument;

}  // namespace sectile::tool
