#include <algorithm>
#include <sectile/dsl/model/names.hpp>
#include <sectile/dsl/model/tensor_elements.hpp>

namespace sectile::model {
namespace {

/// "(last, ..., first)"
template <class T>
std::string spell_reversed(const T* index, int rank) {
  std::string all = text("(", index[rank - 1]);
  for (int d = rank - 2; d >= 0; --d) all += text(", ", index[d]);
  return all + ")";
}

}  // namespace

std::optional<element_index> find_element(const tensor_label& l, const std::byte* at) {
  std::int64_t offset = at - l.map.base;
  if (offset < 0) return std::nullopt;
  element_index index{};
  const auto step_along = [&](int d) {
    if (l.map.extent[d] == 1 || l.map.stride_bytes[d] == 0) return;
    std::int64_t& i = index[static_cast<std::size_t>(d)];
    i = std::min(offset / l.map.stride_bytes[d], l.map.extent[d] - 1);
    offset -= i * l.map.stride_bytes[d];
  };
  bool done[5]{};
  for (int i = 0; i < l.map.rank; ++i) {  // the widest stride first
    int widest = -1;
    for (int d = l.map.rank - 1; d >= 0; --d)
      if (!done[d] && (widest < 0 || l.map.stride_bytes[d] > l.map.stride_bytes[widest])) widest = d;
    done[widest] = true;
    step_along(widest);
  }
  if (offset >= l.map.stride_bytes[0]) return std::nullopt;
  return index;
}

std::string spell(const tensor_label& l, const element_index& at) {
  std::array<std::int64_t, 5> by_coordinate{};  // a column-major matrix, too, is told by row and column
  const bool told = l.operand >= 0 && !l.image && l.index == nullptr;
  for (int d = 0; d < l.map.rank; ++d)
    by_coordinate[static_cast<std::size_t>(told ? l.map.rank - 1 - l.coordinate[d] : d)] =
        at[static_cast<std::size_t>(d)];
  return spell_reversed(by_coordinate.data(), l.map.rank);
}

std::string spell(const tensor_label& l, const observed_tile& tile) {
  int reversed[5], modes = 0;  // one more than the memory has, where that is of groups one behind the other
  for (int d = 0; d < l.map.rank; ++d) modes = std::max(modes, l.coordinate[d] + 1);
  std::reverse_copy(tile.at, tile.at + modes, reversed);
  return spell_reversed(reversed, modes);
}

std::string name_element(const label_set& labels, const std::byte* at) {
  for (const tensor_label& l : labels.tensors)
    if (const auto index = find_element(l, at)) return text("element ", spell(l, *index), " of ", l.name);
  return text("byte ", static_cast<const void*>(at), " of host memory");
}

const tensor_label* find_operand(const label_set& labels, int operand) {
  for (const tensor_label& l : labels.tensors)
    if (l.operand == operand && operand >= 0) return &l;
  return nullptr;
}

placed_tile::placed_tile(const tensor_label& tensor, const observed_tile& tile)
    : tensor_(tensor), tile_(tile), begin_(tensor.map.base) {
  const tensor_map& m = tensor.map;
  if (tensor.image || tensor.index != nullptr) return;
  const auto first = [&](int d) { return std::int64_t{tile.at[tensor.coordinate[d]]} * tensor.tile[d]; };
  for (int d = 2; d < m.rank; ++d) {
    inside_ = inside_ && first(d) >= 0 && first(d) < m.extent[d];
    begin_ += first(d) * m.stride_bytes[d];
  }
  first_byte_ = first(0) * m.stride_bytes[0];
  row_bytes_ = m.extent[0] * m.stride_bytes[0];
  first_row_ = first(1) + tile.first_row;
  rows_ = tile.rows < 0 ? m.extent[1] : tile.first_row + tile.rows;
  stride_ = m.stride_bytes[1];
}

/// By the definition of a convolution: row m of the output's pixels is pixel (p, q) of image n, and place t of the
/// filter its element (r, s).
copy_source placed_tile::pixel(int byte, int row) const {
  const tensor_map& m = tensor_.map;
  const filter_path& f = tensor_.filter;
  const std::int64_t pixel = std::int64_t{tile_.at[1]} * tensor_.tile[1] + row, t = tile_.at[0];
  const std::int64_t q = pixel % tensor_.places[0], p = pixel / tensor_.places[0] % tensor_.places[1];
  const std::int64_t n = pixel / tensor_.places[0] / tensor_.places[1];
  const std::int64_t w = q * f.stride.cols - f.padding.cols + t % f.filter.cols * f.dilation.cols;
  const std::int64_t h = p * f.stride.rows - f.padding.rows + t / f.filter.cols * f.dilation.rows;
  const std::int64_t x = std::int64_t{tile_.at[2]} * tensor_.tile[0] * m.stride_bytes[0] + byte;
  const std::int64_t left = m.extent[0] * m.stride_bytes[0] - x;
  if (t < 0 || t >= f.filter.rows * f.filter.cols || x < 0 || left <= 0 || w < 0 || w >= m.extent[1] || h < 0 ||
      h >= m.extent[2] || pixel < 0 || n >= m.extent[3])
    return {nullptr, 0};
  return {m.base + n * m.stride_bytes[3] + h * m.stride_bytes[2] + w * m.stride_bytes[1] + x,
          static_cast<std::uint32_t>(left < 16 ? left : 16)};
}

/// Row number index[..] of the matrix. A group's rows stand in the index one group behind the other.
copy_source placed_tile::picked(int byte, int row) const {
  const tensor_map& m = tensor_.map;
  const int along = tensor_.coordinate[1];  // a tile's coordinate that counts its rows
  const std::int64_t own = std::int64_t{tile_.at[along]} * tensor_.tile[1] + row;
  const bool group = tile_.rows >= 0;
  bool inside = own >= 0 && own < (group ? tile_.rows : tensor_.index_extent[along]);
  std::int64_t place = own + (group ? tile_.first_row : 0);
  for (int d = 0; d < along && !group; ++d) {
    inside = inside && tile_.at[d] >= 0 && tile_.at[d] < tensor_.index_extent[d];
    place += tile_.at[d] * tensor_.index_stride[d];
  }
  std::int64_t matrix = 0;
  for (int d = 2; d < m.rank; ++d) {
    const std::int64_t at = tile_.at[tensor_.coordinate[d]];
    inside = inside && at >= 0 && at < m.extent[d];
    matrix += at * m.stride_bytes[d];
  }
  const std::int64_t x = std::int64_t{tile_.at[along + 1]} * tensor_.tile[0] * m.stride_bytes[0] + byte;
  const std::int64_t left = m.extent[0] * m.stride_bytes[0] - x, number = inside ? tensor_.index[place] : -1;
  if (x < 0 || left <= 0 || number < 0 || number >= m.extent[1]) return {nullptr, 0};
  return {m.base + matrix + number * m.stride_bytes[1] + x, static_cast<std::uint32_t>(left < 16 ? left : 16)};
}

std::string placed_tile::name(int byte, int row) const {
  if (tensor_.image || tensor_.index != nullptr)
    return text("element (", row, ", ", byte / tensor_.map.stride_bytes[0], ") of tile ", spell(tensor_, tile_), " of ",
                tensor_.name);
  element_index at{};
  at[0] = byte / tensor_.map.stride_bytes[0];
  at[1] = row;
  return text("element ", spell(tensor_, at), " of tile ", spell(tensor_, tile_), " of ", tensor_.name);
}

}  // namespace sectile::model
