// The record of a kernel that the tool knows: what facts, and so tutorials, are made of.
#pragma once

#include <optional>
#include <sectile/dsl/tell/facts/record.hpp>
#include <string_view>

#include "tool/kernels/families.hpp"

namespace sectile::tool {

/// Nothing for a kernel that is written by hand or read for older GPUs only.
std::optional<tell::kernel_record> find_record(std::string_view kernel);
/// What walks through the protocol of a kernel that has a record. Throws input_error where this build was told to do
/// without.
protocol_walker find_walker(std::string_view kernel);

}  // namespace sectile::tool
