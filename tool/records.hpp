// The record of a kernel that the tool knows: what facts, and so tutorials, are made of.
#pragma once

#include <optional>
#include <sectile/dsl/tell/facts/record.hpp>
#include <string_view>

namespace sectile::tool {

/// Nothing for a kernel that is written by hand or read for older GPUs only.
std::optional<tell::kernel_record> find_record(std::string_view kernel);

}  // namespace sectile::tool
