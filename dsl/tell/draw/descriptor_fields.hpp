// The fields of a descriptor under the names by which explanations know them.
#pragma once
#include <sectile/layouts/descriptor_fields.hpp>

namespace sectile::tell {

using sectile::descriptor_field;
using sectile::descriptor_fields;

}  // namespace sectile::tell
