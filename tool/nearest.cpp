#include "tool/nearest.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <utility>
#include <vector>

namespace sectile::tool {

std::size_t edit_distance(std::string_view from, std::string_view to) {
  // before: the line above the one above; the lines begin with the distances from nothing.
  std::vector<std::size_t> before, above, line(to.size() + 1);
  std::iota(line.begin(), line.end(), std::size_t{0});
  for (std::size_t i = 1; i <= from.size(); ++i) {
    before = std::exchange(above, line);
    line[0] = i;
    for (std::size_t j = 1; j <= to.size(); ++j) {
      const std::size_t changed = above[j - 1] + (from[i - 1] == to[j - 1] ? 0 : 1);
      line[j] = std::min({changed, above[j] + 1, line[j - 1] + 1});
      if (i > 1 && j > 1 && from[i - 1] == to[j - 2] && from[i - 2] == to[j - 1])
        line[j] = std::min(line[j], before[j - 2] + 1);
    }
  }
  return line.back();
}

std::string suggestion(std::string_view name, std::span<const std::string_view> names, std::string_view otherwise) {
  std::size_t nearest = std::max<std::size_t>(2, name.size() / 2);
  std::vector<std::string_view> meant;
  for (const std::string_view known : names) {
    const std::size_t distance = edit_distance(name, known);
    if (distance > nearest) continue;
    if (distance < nearest) meant.clear();
    nearest = distance;
    meant.push_back(known);
  }
  if (meant.empty()) return std::string(otherwise);
  return fmt::format("did you mean {}?", fmt::join(meant, " or "));
}

}  // namespace sectile::tool
