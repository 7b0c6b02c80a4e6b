// Names that are nearly the one that was typed, for messages.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace sectile::tool {

/// How many letters have to be added, removed, changed or swapped with the next to turn one word into the other
/// (F. Damerau, 1964; V. Levenshtein, 1965).
std::size_t edit_distance(std::string_view from, std::string_view to);

/// "did you mean x or y?" with the names nearest to `name`, or `otherwise` where none is near enough to be meant.
std::string suggestion(std::string_view name, std::span<const std::string_view> names, std::string_view otherwise);

}  // namespace sectile::tool
