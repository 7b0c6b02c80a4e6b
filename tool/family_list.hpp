// The families that the tool knows: kernels whose program is shipped in several configurations, of which a launch
// picks.
#pragma once
#include <sectile/dsl/launch/family.hpp>
#include <span>
#include <string>
#include <string_view>

namespace sectile::tool {

struct shipped_family {
  std::string_view kernel;  // the kernel that has the same program, see kernel_list.hpp
  std::string_view header;  // where it is declared, and under which name
  std::string_view type;
  const family_facts* facts = nullptr;
  std::span<const configuration> members{};
};
/// The family with that kernel's program. Throws input_error if there is none.
const shipped_family& find_family(std::string_view kernel);

/// Which member a launch picks for "MxNxK" on a GPU, and why: the terms of the cost model for it and for those that
/// come next. Throws input_error.
std::string choice_text(const shipped_family& family, const std::string& shape);

}  // namespace sectile::tool
