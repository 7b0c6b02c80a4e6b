#pragma once
// Pictures of layouts, swizzled ones as they are in memory: SVG for pages, a grid of text for terminals.

#include <algorithm>
#include <string>

#include <sectile/layouts/picture_table.hpp>

namespace sectile {

/// Text with the characters escaped that mean something in XML.
inline std::string xml_escaped(const std::string& text) {
  std::string result;
  for (const char c : text) {
    switch (c) {
      case '<':
        result += "&lt;";
        break;
      case '>':
        result += "&gt;";
        break;
      case '&':
        result += "&amp;";
        break;
      case '"':
        result += "&quot;";
        break;
      default:
        result += c;
    }
  }
  return result;
}

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
    const int cell = std::max(26, 8 + 7 * static_cast<int>(widest_label(table)));
    height_ += line;
    text(margin, height_ - 7, "caption", table.caption);
    for (std::size_t c = 0; c < table.column_labels.size(); ++c) {
      text(middle(cell, c + 1), height_ + 15, "head", table.column_labels[c]);
    }
    height_ += line;
    for (std::size_t r = 0; r < table.cells.size(); ++r) {
      text(middle(cell, 0), height_ + 15, "head", table.row_labels[r]);
      for (std::size_t c = 0; c < table.cells[r].size(); ++c) draw_cell(table.cells[r][c], cell, c);
      height_ += line;
    }
    width_ = std::max(width_, margin + cell * static_cast<int>(table.column_labels.size() + 1));
    width_ = std::max(width_, margin + 15 * static_cast<int>(std::max(table.caption.size(), table.note.size())) / 2);
    height_ += line;
    if (!table.note.empty()) text(margin, height_ - 7, "caption", table.note);
  }

  /// The whole document.
  std::string finish(const std::string& title, const std::string& description) const {
    const std::string width = std::to_string(width_ + margin);
    const std::string height = std::to_string(height_ + margin);
    return "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"sectile-layout\" role=\"img\" viewBox=\"0 0 " + width +
           " " + height + "\" width=\"" + width + "\" height=\"" + height + "\">\n<title>" + xml_escaped(title) +
           "</title>\n<desc>" + xml_escaped(description) + "</desc>\n" + style() + body_ + "</svg>\n";
  }

 private:
  static constexpr int margin = 8;
  static constexpr int line = 22;

  static int middle(int cell, std::size_t column) { return margin + cell * static_cast<int>(column) + cell / 2; }

  void text(int x, int y, const char* kind, const std::string& words) {
    body_ += "<text x=\"" + std::to_string(x) + "\" y=\"" + std::to_string(y) + "\" class=\"" + kind + "\">" +
             xml_escaped(words) + "</text>\n";
  }

  void draw_cell(const picture_cell& shown, int cell, std::size_t column) {
    if (shown.label != folded_label()) {
      const std::string kind = shown.group < 0 ? "none" : "g" + std::to_string(shown.group % 8);
      body_ += "<rect x=\"" + std::to_string(margin + cell * static_cast<int>(column + 1)) + "\" y=\"" +
               std::to_string(height_) + "\" width=\"" + std::to_string(cell) + "\" height=\"" + std::to_string(line) +
               "\" class=\"" + kind + "\"/>\n";
    }
    if (!shown.label.empty()) text(middle(cell, column + 1), height_ + 15, "label", shown.label);
  }

  static std::string style() {
    const char* light[] = {"#cfe3ff", "#ffd9c7", "#d3f0cf", "#f6d3ee", "#fff0b8", "#d8d4fb", "#c9efef", "#e6e0d4"};
    const char* dark[] = {"#1f3f6b", "#6b3419", "#23542b", "#5f2a56", "#5c4d12", "#3d3580", "#17565a", "#4a4438"};
    const std::string us = ".sectile-layout ";  // a page may hold several pictures and rules of its own
    std::string css = "<style>\n" + us + "text{font:12px ui-monospace,monospace;fill:#1b1b1b}\n" + us + ".label," + us +
                      ".head{text-anchor:middle}\n" + us + ".head{fill:#6a6a6a}\n" + us +
                      "rect{stroke:#8a8a8a;stroke-width:.5}\n" + us + ".none{fill:none}\n";
    for (int g = 0; g < 8; ++g) css += us + ".g" + std::to_string(g) + "{fill:" + light[g] + "}\n";
    css += "@media (prefers-color-scheme:dark){\n" + us + "text{fill:#ececec}\n" + us + ".head{fill:#a5a5a5}\n";
    for (int g = 0; g < 8; ++g) css += us + ".g" + std::to_string(g) + "{fill:" + dark[g] + "}\n";
    return css + "}\n</style>\n";
  }

  int width_ = 0;
  int height_ = margin;
  std::string body_;
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
