// What the model makes of a case: operands fetched through the descriptors or the registers, then multiplied.
#pragma once
#include "cases.hpp"

namespace sectile::conformance {

/// D of the model, 64 rows of n.
std::vector<std::uint32_t> model_answer(const prepared_case& c);

}  // namespace sectile::conformance
