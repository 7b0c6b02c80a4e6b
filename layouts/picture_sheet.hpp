#pragma once
// A sheet to draw on: shapes and words in, one SVG document out. The sheet grows with what is drawn; its styles are
// those of picture_style.hpp. Nothing has an id, so that many pictures can stand in one page, and the same calls give
// the same bytes.

#include <algorithm>
#include <cmath>
#include <string>
#include <string_view>
#include <vector>

#include <sectile/layouts/picture_style.hpp>

namespace sectile {

/// Text with the characters escaped that mean something in XML.
inline std::string xml_escaped(std::string_view text) {
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

/// Whether `classes`, separated by spaces, has `name` among them.
inline bool has_class(std::string_view classes, std::string_view name) {
  for (std::size_t at = classes.find(name); at != std::string_view::npos; at = classes.find(name, at + 1)) {
    const bool begins = at == 0 || classes[at - 1] == ' ';
    const bool ends = at + name.size() == classes.size() || classes[at + name.size()] == ' ';
    if (begins && ends) return true;
  }
  return false;
}

/// A length in pixels, with at most one digit behind the point.
inline std::string svg_number(double x) {
  const long long tenths = std::llround(x * 10);
  const long long size = tenths < 0 ? -tenths : tenths;
  std::string text = (tenths < 0 ? "-" : "") + std::to_string(size / 10);
  if (size % 10 != 0) text += "." + std::to_string(size % 10);
  return text;
}

/// Size of text of these classes, in pixels.
inline double text_size(std::string_view classes) {
  return has_class(classes, "title") ? 14 : has_class(classes, "small") ? 10 : has_class(classes, "tiny") ? 9 : 12;
}

/// About how wide text is drawn, in pixels: the widths of a wide font, so that it fits with others as well.
inline double text_width(std::string_view classes, std::string_view words) {
  double em = 0;
  for (const char c : words) {
    if ((static_cast<unsigned char>(c) & 0xC0) == 0x80) continue;  // inside a UTF-8 character
    if (has_class(classes, "mono") || (c >= '0' && c <= '9'))
      em += 0.62;
    else if (std::string_view(" .,:;'|()[]!ijltfrI-").find(c) != std::string_view::npos)
      em += 0.37;
    else if (std::string_view("mwMW%@").find(c) != std::string_view::npos)
      em += 0.95;
    else
      em += c >= 'A' && c <= 'Z' ? 0.7 : 0.61;
  }
  return em * text_size(classes) * (has_class(classes, "title") || has_class(classes, "strong") ? 1.1 : 1);
}

/// A picture in the making. Lengths are in pixels, x to the right and y down; text stands on its y, and on top of every
/// shape.
class picture_sheet {
 public:
  /// A rectangle. `tip`, if any, is what a pointer over it shows.
  void rect(double x, double y, double w, double h, std::string_view classes, std::string_view tip = "") {
    grow(x, y);
    grow(x + w, y + h);
    const std::string shape = "<rect x=\"" + svg_number(x) + "\" y=\"" + svg_number(y) + "\" width=\"" + svg_number(w) +
                              "\" height=\"" + svg_number(h) + "\" class=\"" + std::string(classes) + "\"";
    if (tip.empty())
      body_ += shape + "/>\n";
    else
      body_ += shape + "><title>" + xml_escaped(tip) + "</title></rect>\n";
  }

  /// A rectangle with a label in its middle.
  void cell(double x, double y, double w, double h, std::string_view classes, std::string_view label,
            std::string_view label_classes = "mid", std::string_view tip = "") {
    rect(x, y, w, h, classes, tip);
    if (!label.empty()) text(x + w / 2, y + h / 2 + text_size(label_classes) * 0.36, label_classes, label);
  }

  /// A line of words, from x on; with class mid around x, with class end up to x.
  void text(double x, double y, std::string_view classes, std::string_view words) {
    const double w = text_width(classes, words);
    const double left = has_class(classes, "mid") ? x - w / 2 : has_class(classes, "end") ? x - w : x;
    grow(left, y - text_size(classes));
    grow(left + w, y + text_size(classes) * 0.3);
    if (words_.empty() || classes != text_classes_) {
      close_group();
      text_classes_ = classes;
      words_ += classes.empty() ? "<g>\n" : "<g class=\"" + text_classes_ + "\">\n";
    }
    words_ += "<text x=\"" + svg_number(x) + "\" y=\"" + svg_number(y) + "\">" + xml_escaped(words) + "</text>\n";
  }

  /// Words in lines of at most `width`; the first stands on y. The result is the y below the last line.
  double paragraph(double x, double y, double width, std::string_view classes, std::string_view words) {
    const double step = text_size(classes) * 1.4;
    std::string line;
    while (!words.empty()) {
      const std::size_t end = std::min(words.find(' '), words.size());
      const std::string longer =
          line.empty() ? std::string(words.substr(0, end)) : line + ' ' + std::string(words.substr(0, end));
      words.remove_prefix(std::min(end + 1, words.size()));
      if (!line.empty() && text_width(classes, longer) > width) {
        text(x, y, classes, line);
        y += step;
        line = longer.substr(line.size() + 1);
      } else {
        line = longer;
      }
    }
    if (!line.empty()) text(x, y, classes, line);
    return y + step;
  }

  /// A straight line.
  void line(double x1, double y1, double x2, double y2, std::string_view classes) {
    grow(x1, y1);
    grow(x2, y2);
    path("M" + svg_number(x1) + " " + svg_number(y1) + "L" + svg_number(x2) + " " + svg_number(y2), classes);
  }

  /// A path as SVG writes it. The sheet does not grow with it.
  void path(const std::string& d, std::string_view classes) {
    body_ += "<path d=\"" + d + "\" class=\"" + std::string(classes) + "\"/>\n";
  }

  /// A line with a head at its end. classes: one that has a stroke; the head is filled by `head`.
  void arrow(double x1, double y1, double x2, double y2, std::string_view classes, std::string_view head) {
    line(x1, y1, x2, y2, classes);
    arrow_head(x1, y1, x2, y2, head);
  }

  /// The head of an arrow from (x1, y1) to (x2, y2).
  void arrow_head(double x1, double y1, double x2, double y2, std::string_view classes) {
    const double length = std::max(std::hypot(x2 - x1, y2 - y1), 0.001);
    const double ux = (x2 - x1) / length, uy = (y2 - y1) / length;
    path("M" + svg_number(x2) + " " + svg_number(y2) + "L" + svg_number(x2 - 7 * ux - 3 * uy) + " " +
             svg_number(y2 - 7 * uy + 3 * ux) + "L" + svg_number(x2 - 7 * ux + 3 * uy) + " " +
             svg_number(y2 - 7 * uy - 3 * ux) + "z",
         classes);
  }

  /// Slanted lines over a rectangle.
  void hatch(double x, double y, double w, double h, double step = 6) {
    std::string d;
    for (double at = step; at < w + h; at += step) {
      const double x1 = std::min(at, w), y1 = std::max(at - w, 0.0), x2 = std::max(at - h, 0.0), y2 = std::min(at, h);
      d += "M" + svg_number(x + x1) + " " + svg_number(y + y1) + "L" + svg_number(x + x2) + " " + svg_number(y + y2);
    }
    path(d, "hatch");
  }

  /// How far what is drawn reaches to the right, and down.
  double width() const { return right_; }
  double height() const { return bottom_; }

  /// The document. It says what it shows: `title` in a few words, `description` for those who do not see it.
  std::string finish(std::string_view title, std::string_view description) const {
    constexpr double margin = 8;
    const double left = std::floor(left_ - margin), top = std::floor(top_ - margin);
    const std::string w = svg_number(std::ceil(right_ + margin - left)),
                      h = svg_number(std::ceil(bottom_ + margin - top));
    return "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"" + picture_class() + "\" role=\"img\" viewBox=\"" +
           svg_number(left) + " " + svg_number(top) + " " + w + " " + h + "\" width=\"" + w + "\" height=\"" + h +
           "\">\n<title>" + xml_escaped(title) + "</title>\n<desc>" + xml_escaped(description) + "</desc>\n<style>\n" +
           picture_style() + "</style>\n" + "<rect x=\"" + svg_number(left) + "\" y=\"" + svg_number(top) +
           "\" width=\"" + w + "\" height=\"" + h + "\" class=\"backdrop paper\"/>\n" + body_ + words_ +
           (words_.empty() ? "" : "</g>\n") + "</svg>\n";
  }

 private:
  void close_group() {
    if (!words_.empty()) words_ += "</g>\n";
  }

  void grow(double x, double y) {
    left_ = empty_ ? x : std::min(left_, x);
    top_ = empty_ ? y : std::min(top_, y);
    right_ = empty_ ? x : std::max(right_, x);
    bottom_ = empty_ ? y : std::max(bottom_, y);
    empty_ = false;
  }

  bool empty_ = true;
  double left_ = 0, top_ = 0, right_ = 0, bottom_ = 0;
  std::string body_;
  // Words lie on top of all shapes; those of the same classes that follow one another stand in one group.
  std::string words_, text_classes_;
};

}  // namespace sectile
