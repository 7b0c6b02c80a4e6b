#pragma once
// What a picture of a layout shows, before it is drawn: a table of labelled cells, either the logical grid (cells
// are coordinates, labels are offsets) or memory (cells are offsets, labels are coordinates).

#include <algorithm>
#include <cstdint>
#include <functional>
#include <numeric>
#include <string>
#include <vector>

#include <sectile/layouts/swizzled_algebra.hpp>
#include <sectile/layouts/text.hpp>

namespace sectile {

/// Which table to draw.
enum class picture_view : std::uint8_t { logical, memory, both };

/// One element of a layout, as a colouring sees it. row and column are indices into mode 0 and into the other modes
/// taken together.
struct picture_element {
  std::int64_t row = 0;
  std::int64_t column = 0;
  std::int64_t offset = 0;
};

struct picture_options {
  picture_view view = picture_view::both;
  /// Title of the picture; the notation of the layout if empty.
  std::string title = {};
  /// More rows or columns than this are folded: the first and the last ones are drawn, and the picture says so.
  int max_rows = 64;
  int max_columns = 64;
  /// Offsets per row of memory; 0 picks the distance over which the swizzle exchanges, or the row length of the grid.
  std::int64_t memory_row = 0;
  /// Group (thread, bank, core matrix, ...) of an element; elements of one group share one of 8 colours. If empty:
  /// the piece that the swizzle moves as a whole, or without a swizzle the offset, counted in what all offsets are
  /// multiples of.
  std::function<std::int64_t(const picture_element&)> group = {};
};

/// One cell. group < 0: nothing is there.
struct picture_cell {
  std::string label;
  std::int64_t group = -1;
};

/// A table with headers. A row or column headed "..." stands for those that are folded away.
struct picture_table {
  std::string caption;
  std::vector<std::string> row_labels;
  std::vector<std::string> column_labels;
  std::vector<std::vector<picture_cell>> cells;
  std::string note;
};

/// How what is folded away is written.
inline const char* folded_label() { return "..."; }

/// 0, 1, ..., count - 1, or with more than `most` the first and last ones around a -1.
inline std::vector<std::int64_t> folded_range(std::int64_t count, int most) {
  std::vector<std::int64_t> result;
  const std::int64_t head = count <= most ? count : (most + 1) / 2;
  for (std::int64_t k = 0; k < head; ++k) result.push_back(k);
  if (count <= most) return result;
  result.push_back(-1);
  for (std::int64_t k = count - most / 2; k < count; ++k) result.push_back(k);
  return result;
}

/// Where number k stands in folded_range(count, most); -1 if it is folded away.
inline std::int64_t place_in_fold(std::int64_t k, std::int64_t count, int most) {
  const std::int64_t head = (most + 1) / 2;
  if (count <= most || k < head) return k;
  const std::int64_t tail = count - most / 2;
  return k < tail ? -1 : head + 1 + (k - tail);
}

/// The numbers as headers: first + number * step.
inline std::vector<std::string> header_labels(const std::vector<std::int64_t>& shown, std::int64_t first,
                                              std::int64_t step) {
  std::vector<std::string> labels;
  for (const std::int64_t k : shown) labels.push_back(k < 0 ? folded_label() : std::to_string(first + k * step));
  return labels;
}

/// Says what is folded away, in words; empty if nothing is.
inline std::string folding_note(std::int64_t rows, std::int64_t columns, const picture_options& options) {
  std::string note;
  auto add = [&](std::int64_t count, int most, const char* what) {
    if (count <= most) return;
    note += note.empty() ? "Folded: " : ", ";
    note += std::to_string(count - most) + " of " + std::to_string(count) + " " + what + " not drawn";
  };
  add(rows, options.max_rows, "rows");
  add(columns, options.max_columns, "columns");
  return note;
}

/// A layout as rows and columns: rank 1 is one row; modes beyond the second are grouped with it.
struct picture_source {
  swizzled_layout of;
  std::int64_t rows = 1;
  std::int64_t columns = 1;
  std::int64_t step = 0;  // what all strides are multiples of

  explicit picture_source(const swizzled_layout& l) : of(l) {
    if (rank(l) >= 2) rows = size(mode(l.inner, 0));
    columns = size(l) / rows;
    for (int k = 0; k < l.inner.form.leaves; ++k)
      if (l.inner.leaf[k].shape > 1) step = std::gcd(step, l.inner.leaf[k].stride);
    if (step == 0) step = 1;
  }

  picture_element at(std::int64_t row, std::int64_t column) const { return {row, column, of(row + rows * column)}; }

  std::int64_t group(const picture_element& e, const picture_options& options) const {
    if (options.group) return options.group(e);
    if (of.pattern.bits == 0) return (e.offset < 0 ? -e.offset : e.offset) / step;
    return of.pattern(e.offset) >> of.pattern.base;
  }
};

/// The logical grid: cell (row, column) is labelled with its offset.
inline picture_table logical_table(const picture_source& source, const picture_options& options) {
  const auto rows = folded_range(source.rows, options.max_rows);
  const auto columns = folded_range(source.columns, options.max_columns);
  picture_table table;
  table.caption = rank(source.of) < 2 ? "Offset of each coordinate"
                                      : "Offset of each coordinate (rows: mode 0, columns: the other modes)";
  table.row_labels = header_labels(rows, 0, 1);
  table.column_labels = header_labels(columns, 0, 1);
  table.note = folding_note(source.rows, source.columns, options);
  for (const std::int64_t row : rows) {
    auto& line = table.cells.emplace_back();
    for (const std::int64_t column : columns) {
      if (row < 0 || column < 0) {
        line.push_back({folded_label(), -1});
        continue;
      }
      const picture_element e = source.at(row, column);
      line.push_back({std::to_string(e.offset), source.group(e, options)});
    }
  }
  return table;
}

/// Offsets per row of memory: what the options say, or the distance between a swizzle's two bit fields, or a row of
/// the grid as far as it is contiguous.
inline std::int64_t memory_row_length(const picture_source& source, const picture_options& options) {
  if (options.memory_row > 0) return options.memory_row;
  const swizzle s = source.of.pattern;
  if (s.bits > 0) return std::int64_t{1} << (s.base + (s.shift < 0 ? -s.shift : s.shift));
  return std::min<std::int64_t>(std::max(source.columns, std::int64_t{8}), 64);
}

/// The smallest and the largest offset.
struct offset_span {
  std::int64_t lowest = 0;
  std::int64_t highest = 0;
};

inline offset_span span_of(const swizzled_layout& l) {
  offset_span span{l(0), l(0)};
  for (std::int64_t i = 0; i < size(l); ++i) {
    span.lowest = std::min(span.lowest, l(i));
    span.highest = std::max(span.highest, l(i));
  }
  return span;
}

/// How a coordinate is written in a cell of memory: its index, or "row,column".
inline std::string coordinate_label(const picture_source& source, const picture_element& e) {
  if (rank(source.of) < 2) return std::to_string(e.column);
  return std::to_string(e.row) + "," + std::to_string(e.column);
}

/// Memory: cell (row, column) is offset row * length + column and is labelled with the coordinate that lies there,
/// followed by '+' if there are several. Refuses layouts of more than 2^24 elements.
inline picture_table memory_table(const picture_source& source, const picture_options& options) {
  if (size(source.of) > (std::int64_t{1} << 24)) {
    throw layout_error("picture of ", source.of, " in memory is refused: ", size(source.of),
                       " elements are more than 2^24");
  }
  const std::int64_t length = memory_row_length(source, options);
  const offset_span span = span_of(source.of);
  const std::int64_t start = (span.lowest >= 0 ? span.lowest / length : -ceil_div(-span.lowest, length)) * length;
  const std::int64_t row_count = (span.highest - start) / length + 1;
  const auto rows = folded_range(row_count, options.max_rows);
  const auto columns = folded_range(length, options.max_columns);

  picture_table table;
  table.caption = "Memory, " + std::to_string(length) + " offsets a row: the coordinate that lies at each offset";
  table.row_labels = header_labels(rows, start, length);
  table.column_labels = header_labels(columns, 0, 1);
  table.note = folding_note(row_count, length, options);
  for (const std::int64_t row : rows) {
    auto& line = table.cells.emplace_back();
    for (const std::int64_t column : columns) line.push_back({row < 0 || column < 0 ? folded_label() : "", -1});
  }
  for (std::int64_t i = 0; i < size(source.of); ++i) {
    const picture_element e = source.at(i % source.rows, i / source.rows);
    const std::int64_t row = place_in_fold((e.offset - start) / length, row_count, options.max_rows);
    const std::int64_t column = place_in_fold((e.offset - start) % length, length, options.max_columns);
    if (row < 0 || column < 0) continue;
    picture_cell& cell = table.cells[static_cast<std::size_t>(row)][static_cast<std::size_t>(column)];
    if (cell.group < 0) {
      cell = {coordinate_label(source, e), source.group(e, options)};
    } else if (cell.label.back() != '+') {
      cell.label += '+';
    }
  }
  return table;
}

/// The tables that the options ask for.
inline std::vector<picture_table> picture_tables(const swizzled_layout& l, const picture_options& options) {
  const picture_source source(l);
  std::vector<picture_table> tables;
  if (options.view != picture_view::memory) tables.push_back(logical_table(source, options));
  if (options.view != picture_view::logical) tables.push_back(memory_table(source, options));
  return tables;
}

}  // namespace sectile
