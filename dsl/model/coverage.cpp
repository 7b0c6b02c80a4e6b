#include <algorithm>
#include <sectile/dsl/model/coverage.hpp>
#include <sectile/dsl/model/names.hpp>

namespace sectile::model {
namespace {

std::size_t elements_of(const tensor_map& m) {
  std::int64_t n = 1;
  for (int d = 0; d < m.rank; ++d) n *= m.extent[d];
  return static_cast<std::size_t>(n);
}

/// "rows 64 to 127", "row 3"
std::string spell_range(const char* what, std::int64_t first, std::int64_t last) {
  return first == last ? text(what, " ", first) : text(what, "s ", first, " to ", last);
}

}  // namespace

coverage::coverage(const tensor_label& l) : tensor_(l), times_(elements_of(l.map)) {
  if (l.left_out.empty()) return;
  const std::int64_t step = l.by_element ? 1 : l.map.extent[0], rows = l.map.extent[l.by_element ? 0 : 1];
  for (auto matrix = times_.begin(); matrix != times_.end(); matrix += step * rows)
    for (const auto& [from, to] : l.left_out) std::fill(matrix + from * step, matrix + to * step, std::uint8_t{1});
}

std::size_t coverage::number_of(const element_index& at) const {
  std::int64_t n = 0;
  for (int d = tensor_.map.rank - 1; d >= 0; --d) n = n * tensor_.map.extent[d] + at[static_cast<std::size_t>(d)];
  return static_cast<std::size_t>(n);
}

bool coverage::add(const std::byte* begin, std::size_t bytes) {
  const std::int64_t size = tensor_.map.stride_bytes[0];
  bool first_time = true;
  for (auto left = static_cast<std::int64_t>(bytes); left > 0;) {
    const auto at = find_element(tensor_, begin);
    if (!at) return false;
    const std::int64_t count = std::min(left / size, tensor_.map.extent[0] - (*at)[0]);
    if (count <= 0) return false;
    const std::size_t first = number_of(*at);
    for (std::int64_t i = 0; i < count; ++i)
      first_time =
          times_[first + static_cast<std::size_t>(i)].fetch_add(1, std::memory_order_relaxed) == 0 && first_time;
    begin += count * size;
    left -= count * size;
  }
  return first_time;
}

bool coverage::add_again(const std::byte* element) {
  const auto at = find_element(tensor_, element);
  if (at) times_[number_of(*at)].store(1, std::memory_order_relaxed);
  return at.has_value();
}

std::string coverage::missing() const {
  const tensor_map& m = tensor_.map;
  std::size_t count = 0;
  element_index at{}, first{}, last{}, tile{};
  for (std::size_t n = 0; n < times_.size(); ++n) {
    std::size_t rest = n;
    if (times_[n] != 0) continue;
    for (std::size_t d = 0; d < static_cast<std::size_t>(m.rank); ++d) {
      at[d] = static_cast<std::int64_t>(rest % static_cast<std::size_t>(m.extent[d]));
      rest /= static_cast<std::size_t>(m.extent[d]);
    }
    bool same_tile = true;
    for (std::size_t d = 0; d < static_cast<std::size_t>(m.rank); ++d) {
      if (count == 0) tile[d] = at[d] / tensor_.tile[d];
      same_tile = same_tile && at[d] / tensor_.tile[d] == tile[d];
    }
    if (count++ == 0) first = last = at;
    if (!same_tile) continue;
    for (std::size_t d = 0; d < 2; ++d) {
      first[d] = std::min(first[d], at[d]);
      last[d] = std::max(last[d], at[d]);
    }
  }
  if (count == 0) return "";
  if (m.rank == 1)
    return text(tensor_.name, ": ", count, " of its ", times_.size(), count == 1 ? " elements is" : " elements are",
                " never written; of tile ", spell(tensor_, tile), ", the first of which some are missing, ",
                spell_range("element", first[0], last[0]));
  const bool by_rows = tensor_.coordinate[0] > tensor_.coordinate[1];  // the innermost mode counts columns
  const std::size_t row = by_rows ? 1 : 0, col = 1 - row;
  return text(tensor_.name, ": ", count, " of its ", times_.size(), count == 1 ? " elements is" : " elements are",
              " never written; of tile ", spell(tensor_, tile), ", the first of which some are missing, ",
              spell_range("row", first[row], last[row]), ", ", spell_range("column", first[col], last[col]), " of ",
              tensor_.name);
}

}  // namespace sectile::model
