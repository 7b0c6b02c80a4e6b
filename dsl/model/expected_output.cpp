#include <algorithm>
#include <cstring>
#include <sectile/dsl/model/cluster.hpp>
#include <sectile/dsl/model/expected_output.hpp>
#include <sectile/dsl/model/names.hpp>

namespace sectile::model {
namespace {

/// Row and column of an element in `r`, which may lie outside; nothing if it belongs to another matrix of a batch.
std::optional<coord> place_in(const expected_share& r, const element_index& at) {
  const auto within_tile = [&](int d) {
    const auto mode = static_cast<std::size_t>(d);
    return at[mode] - std::int64_t{r.tile.at[r.tensor->coordinate[d]]} * r.tensor->tile[d] -
           (d == 1 ? r.tile.first_row : 0);
  };
  for (int d = 2; d < r.tensor->map.rank; ++d)
    if (within_tile(d) != 0) return std::nullopt;
  if (r.tile.rows >= 0 && at[1] >= r.tile.first_row + r.tile.rows) return std::nullopt;  // of another group
  const std::int64_t row = within_tile(1) - r.first_row, col = within_tile(0) - r.first_col;
  if (row < 0 || row >= r.rows || col < 0 || col >= r.cols) return std::nullopt;
  return coord{static_cast<int>(row), static_cast<int>(col)};
}

/// ", the value of element (64, 0) of the tile", or "" if none or several have it.
std::string owner_of_value(const expected_share& r, const std::byte* value, std::size_t size) {
  std::string owner;
  for (std::size_t at = 0; at < r.value.size(); at += size) {
    if (std::memcmp(&r.value[at], value, size) != 0) continue;
    if (!owner.empty()) return "";
    const auto n = static_cast<int>(at / size);
    owner = text(", the value of element (", r.first_row + n / r.cols, ", ", r.first_col + n % r.cols, ") of the tile");
  }
  return owner;
}

/// Whether threads store tiles of it.
bool is_stored_in_tiles(const tensor_label& l) { return l.covered && !l.by_element; }

/// The output that has an element there. Where none has: the one that is being stored, of a launch with any.
const tensor_label* output_at(const label_set& labels, const expected_output& told, const std::byte* to) {
  const tensor_label* other = told.last.empty() ? nullptr : told.last.back().tensor;
  for (const tensor_label& l : labels.tensors) {
    if (!is_stored_in_tiles(l)) continue;
    if (find_element(l, to)) return &l;
    if (other == nullptr) other = &l;
  }
  return other;
}

}  // namespace

std::byte* expect_values(cuda_thread& t, const observed_tile& tile, int blocks, bool transposed) {
  const tensor_label* const tensor = find_operand(t.all->what.how.labels, tile.operand);
  if (tensor == nullptr || !t.all->checked() || !t.all->computes) return nullptr;
  expected_output& out = t.own_warpgroup().output;
  const std::uint32_t number = t.stores_observed++;
  if (number < out.forgotten) return nullptr;
  if (number - out.forgotten == out.last.size()) {
    const int share = 64 * blocks, which = t.share();
    const int rows = transposed ? tensor->tile[1] : share, cols = transposed ? share : tensor->tile[0];
    const auto bytes = static_cast<std::size_t>(rows * cols) * static_cast<std::size_t>(tensor->map.stride_bytes[0]);
    out.last.push_back({tensor, tile, transposed ? 0 : which * rows, transposed ? which * cols : 0, rows, cols,
                        std::vector<std::byte>(bytes)});
    const auto& all = t.all->what.how.labels.tensors;
    const auto outputs = static_cast<std::size_t>(std::count_if(all.begin(), all.end(), is_stored_in_tiles));
    if (out.last.size() > 2 * std::max(outputs, std::size_t{1})) {
      out.last.pop_front();
      ++out.forgotten;
    }
  }
  return out.last[number - out.forgotten].value.data();
}

void check_output(const cuda_thread& t, const std::byte* to, const std::byte* from, std::size_t bytes,
                  const char* verb) {
  const label_set& labels = t.all->what.how.labels;
  const expected_output& told = t.own_warpgroup().output;
  const tensor_label* const found = output_at(labels, told, to);
  if (found == nullptr) return;
  const tensor_label& out = *found;
  const auto size = static_cast<std::size_t>(out.map.stride_bytes[0]);
  const auto first = find_element(out, to);
  const auto count = static_cast<std::int64_t>(bytes / size);
  if (!first || (*first)[0] + count > out.map.extent[0])
    report(hazard_kind::out_of_range,
           text(verb, " of ", name(t), " writes ", bytes, " bytes from ",
                first ? text("element ", spell(out, *first), " of ", out.name, " on, which reach beyond its row")
                      : text("byte ", to - out.map.base, " of ", out.name, " on, where none of its elements is")));
  if (told.last.empty() || !t.all->computes) return;
  for (const expected_share& r : told.last) {
    if (r.tensor != &out) continue;
    const auto at = place_in(r, *first);
    if (!at) continue;
    const auto inside = static_cast<std::size_t>(std::min<std::int64_t>(count, r.cols - at->col));
    const std::byte* const right = &r.value[static_cast<std::size_t>(at->row * r.cols + at->col) * size];
    if (std::memcmp(from, right, inside * size) == 0) return;
    std::size_t wrong = 0;
    while (std::memcmp(from + wrong * size, right + wrong * size, size) == 0) ++wrong;
    element_index element = *first;
    element[0] += static_cast<std::int64_t>(wrong);
    report(hazard_kind::wrong_element,
           text(verb, " of ", name(t), " brings element ", spell(out, element), " of ", out.name, ", row ",
                r.first_row + at->row, " and column ", r.first_col + at->col + static_cast<int>(wrong), " of tile ",
                spell(*r.tensor, r.tile), ", another value than the body stores there",
                owner_of_value(r, from + wrong * size, size)));
  }
  report(hazard_kind::wrong_element,
         text(verb, " of ", name(t), " writes element ", spell(out, *first), " of ", out.name,
              ", which is not of its part of tile ", spell(out, told.last.back().tile), ", the one that it stores"));
}

}  // namespace sectile::model
