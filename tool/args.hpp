// Shapes as they are written on a command line: sizes separated by 'x', as in 4096x4096x512.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace sectile::tool {

/// The sizes of `text`, one for each letter of `names`: parse_shape("256x512x64", "MNK") is {256, 512, 64}.
/// Every size is from 1 to 2^31 - 1 and their product at most 2^63 - 1.
/// Throws input_error that names the text, the size, the position (from 0) and the rule.
std::vector<std::int64_t> parse_shape(std::string_view text, std::string_view names);

/// The same, or of "M=256,N=512,K=64" in any order.
std::vector<std::int64_t> parse_named_shape(std::string_view text, std::string_view names);

/// "256x512x64": what parse_shape reads back.
std::string shape_text(const std::vector<std::int64_t>& shape);

}  // namespace sectile::tool
