// The record of a kernel that the tool knows: what facts, and so tutorials, are made of.
#pragma once

#include <optional>
#include <sectile/dsl/tell/facts/record.hpp>
#include <string_view>

#include "tool/kernel_list.hpp"
#include "tool/kernels/families.hpp"

namespace sectile::tool {

/// Nothing for a kernel without a plan. Throws input_error where this build was told to do without the record.
std::optional<tell::kernel_record> find_record(const kernel_facts& kernel);
/// What walks through the protocol of a kernel that has a record. Throws input_error where this build was told to do
/// without.
protocol_walker find_walker(std::string_view kernel);

}  // namespace sectile::tool
