#pragma once
// Pictures of layouts, swizzled ones as they are in memory: SVG for pages, a grid of text for terminals.

#include <algorithm>
#include <string>

#include <sectile/layouts/picture_sheet.hpp>
#include <sectile/layouts/picture_table.hpp>

namespace sectile {

/// Longest label of a table, in characters, headers included.
inline std::size_t widest_label(const picture_table& table) {
  std::size_t widest = 1;
  for (const auto& line : table.cells) {
    for (const picture_cell& cell : line) widest = std::max(widest, cell.label.size());
  }
  for (const std::string& label : table.row_labels) widest = std::max(widest, label.size());
  for (const std::string& label : table.column_labels) widest = std::max(widest, label.size());
  return widest;
}

/// What a picture is called: the title asked for, or the notation (without a swizzle that does nothing).
inline std::string picture_title(const swizzled_layout& l, const picture_options& options) {
  if (!options.title.empty()) return options.title;
  return l.pattern.bits == 0 && l.offset == 0 ? to_string(l.inner) : to_string(l);
}

/// Draws tables below one another. All lengths are in pixels.
class svg_canvas {
 public:
  /// Draws one table with its caption above and its note below.
  void draw(const picture_table& table) {
    double cell = 26;
    const auto widen = [&cell](const std::string& label) { cell = std::max(cell, text_width(words, label) + 8); };
    for (const auto& row : table.cells)
      for (const picture_cell& shown : row) widen(shown.label);
    for (const std::string& label : table.row_labels) widen(label);
    for (const std::string& label : table.column_labels) widen(label);

    y_ += line;
    sheet_.text(0, y_ - 7, "", table.caption);
    for (std::size_t c = 0; c < table.column_labels.size(); ++c) draw_head(cell, c + 1, table.column_labels[c]);
    y_ += line;
    for (std::size_t r = 0; r < table.cells.size(); ++r) {
      draw_head(cell, 0, table.row_labels[r]);
      for (std::size_t c = 0; c < table.cells[r].size(); ++c) draw_cell(table, r, c, cell);
      y_ += line;
    }
    y_ += line;
    if (!table.note.empty()) sheet_.text(0, y_ - 7, "muted", table.note);
  }

  /// The whole document.
  std::string finish(const std::string& title, const std::string& description) const {
    return sheet_.finish(title, description);
  }

 private:
  static constexpr double line = 22;
  static constexpr const char* words = "small mid";

  void draw_head(double cell, std::size_t column, const std::string& label) {
    sheet_.text((static_cast<double>(column) + 0.5) * cell, y_ + 14.5, "small muted mid", label);
  }

  void draw_cell(const picture_table& table, std::size_t r, std::size_t c, double cell) {
    const picture_cell& shown = table.cells[r][c];
    const double x = static_cast<double>(c + 1) * cell;
    if (shown.label == folded_label()) return sheet_.text(x + cell / 2, y_ + 14.5, "small muted mid", shown.label);
    const std::string kind = shown.group < 0 ? "none" : "g" + std::to_string(shown.group % picture_colours);
    const bool few = table.cells.size() * table.cells[r].size() <= 128;  // tips are half of a file
    const std::string tip =
        few ? "row " + table.row_labels[r] + ", column " + table.column_labels[c] + ": " + shown.label : "";
    sheet_.cell(x, y_, cell, line, "cell " + kind, shown.label, words, tip);
  }

  double y_ = 0;
  picture_sheet sheet_;
};

/// A self-contained SVG document. Readable in light and dark surroundings, with title and description.
/// Refuses to draw memory of layouts of more than 2^24 elements.
inline std::string to_svg(const swizzled_layout& l, const picture_options& options = {}) {
  svg_canvas canvas;
  std::string description = "Layout " + to_string(l.inner) + " with " + std::to_string(size(l)) + " elements.";
  if (l.pattern.bits > 0) description += " Offsets are swizzled by " + to_string(l.pattern) + ".";
  for (const picture_table& table : picture_tables(l, options)) {
    canvas.draw(table);
    description += " " + table.caption + ".";
    if (!table.note.empty()) description += " " + table.note + ".";
  }
  return canvas.finish(picture_title(l, options), description);
}

/// The picture of a layout without a swizzle. Without further options only the logical grid is drawn for it.
inline std::string to_svg(const layout& l, const picture_options& options = {.view = picture_view::logical}) {
  return to_svg(swizzled_layout{swizzle{0, 4, 3}, 0, l}, options);
}

/// One table as lines of text, columns aligned to the right.
inline std::string to_grid(const picture_table& table) {
  const std::size_t width = widest_label(table) + 1;
  auto padded = [&](const std::string& label) { return std::string(width - label.size(), ' ') + label; };
  std::string result = table.caption + "\n" + std::string(width, ' ') + " |";
  for (const std::string& label : table.column_labels) result += padded(label);
  result += "\n" + std::string(width, '-') + "-+" + std::string(width * table.column_labels.size(), '-') + "\n";
  for (std::size_t r = 0; r < table.cells.size(); ++r) {
    result += padded(table.row_labels[r]) + " |";
    for (const picture_cell& cell : table.cells[r]) result += padded(cell.label.empty() ? "." : cell.label);
    result += "\n";
  }
  if (!table.note.empty()) result += table.note + "\n";
  return result;
}

/// The picture as text, for terminals: title, then each table.
inline std::string to_grid(const swizzled_layout& l, const picture_options& options = {}) {
  std::string result = picture_title(l, options) + "\n";
  for (const picture_table& table : picture_tables(l, options)) result += "\n" + to_grid(table);
  return result;
}

/// The picture of a layout without a swizzle. Without further options only the logical grid is drawn for it.
inline std::string to_grid(const layout& l, const picture_options& options = {.view = picture_view::logical}) {
  return to_grid(swizzled_layout{swizzle{0, 4, 3}, 0, l}, options);
}

}  // namespace sectile
