// Pictures: the text grids cell by cell, and that every SVG is well formed and says what it shows.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <sectile/layouts/picture.hpp>
#include <sstream>
#include <string>

#include "tests/well_formed.hpp"

using namespace sectile;
using namespace sectile::literals;
using test::count, test::is_well_formed;

TEST_CASE("the grid of a plain layout") {
  CHECK(to_grid("((2,2),3):((1,6),2)"_layout) ==
        "((2,2),3):((1,6),2)\n"
        "\n"
        "Offset of each coordinate (rows: mode 0, columns: the other modes)\n"
        "    |  0  1  2\n"
        "----+---------\n"
        "  0 |  0  2  4\n"
        "  1 |  1  3  5\n"
        "  2 |  6  8 10\n"
        "  3 |  7  9 11\n");
}

TEST_CASE("a swizzled layout is drawn as it is in memory") {
  CHECK(to_grid("Sw<1,0,1> o (2,4):(4,1)"_swizzled, {.view = picture_view::memory}) ==
        "Sw<1,0,1> o 0 o (2,4):(4,1)\n"
        "\n"
        "Memory, 2 offsets a row: the coordinate that lies at each offset\n"
        "     |   0   1\n"
        "-----+--------\n"
        "   0 | 0,0 0,1\n"
        "   2 | 0,3 0,2\n"
        "   4 | 1,0 1,1\n"
        "   6 | 1,3 1,2\n");
}

TEST_CASE("rank 1 is one row, modes beyond the second are grouped, gaps and sharing show") {
  CHECK(to_grid("3:2"_layout, {.memory_row = 5}) ==
        "3:2\n\nOffset of each coordinate\n   | 0 1 2\n---+------\n 0 | 0 2 4\n"
        "\nMemory, 5 offsets a row: the coordinate that lies at each offset\n"
        "   | 0 1 2 3 4\n---+----------\n 0 | 0 . 1 . 2\n");
  CHECK(to_grid("(2,2,2)"_layout).find("   | 0 1 2 3\n---+--------\n 0 | 0 2 4 6\n 1 | 1 3 5 7\n") !=
        std::string::npos);
  CHECK(to_grid("(2,3):(1,0)"_layout, {.view = picture_view::memory, .memory_row = 2}).find(" 0,0+ 1,0+") !=
        std::string::npos);
  CHECK(to_grid("3:-1"_layout, {.view = picture_view::memory, .memory_row = 2}) ==
        "3:-1\n\nMemory, 2 offsets a row: the coordinate that lies at each offset\n"
        "    |  0  1\n----+------\n -2 |  2  1\n  0 |  0  .\n");
  CHECK_THROWS_WITH_AS(
      to_grid("33554432:1"_layout, {.view = picture_view::memory}),
      "picture of Sw<0,4,3> o 0 o 33554432:1 in memory is refused: 33554432 elements are more than 2^24", layout_error);
}

TEST_CASE("large layouts are folded and say so") {
  const std::string grid = to_grid("(200,300)"_layout, {.view = picture_view::both, .max_rows = 4, .max_columns = 5});
  CHECK(grid.find("Folded: 196 of 200 rows not drawn, 295 of 300 columns not drawn\n") != std::string::npos);
  CHECK(grid.find("  199 |   199   399   599   ... 59799 59999\n") != std::string::npos);
  CHECK(grid.find("\n       0 |     0,0     1,0     2,0     ...    62,0    63,0\n") != std::string::npos);
  CHECK(grid.find("59968 | 168,299 169,299 170,299     ...       .       .\n") != std::string::npos);
  CHECK_THROWS_AS(to_grid("(8192,8192)"_layout, {}), layout_error);
}

TEST_CASE("pictures are well formed, complete and accessible") {
  const std::string svg = to_svg("Sw<2,0,3> o (4,8):(8,1)"_swizzled);
  CHECK(is_well_formed(svg));
  CHECK(count(svg, "<rect") == 1 + 2 * 32);  // one is the paper
  CHECK(count(svg, "<text") == 2 * (32 + 4 + 8 + 1));
  CHECK(count(svg, "<title>Sw&lt;2,0,3&gt; o 0 o (4,8):(8,1)</title>") == 1);
  CHECK(count(svg, "<desc>Layout (4,8):(8,1) with 32 elements. Offsets are swizzled by Sw&lt;2,0,3&gt;.") == 1);
  CHECK(count(svg, "prefers-color-scheme: dark") == 1);
  CHECK(count(svg, "role=\"img\"") == 1);
  for (const char* text : {"1:0", "7:-3", "(2,(3,4),5):(0,(1,7),2)"}) {
    CHECK(is_well_formed(to_svg(parse_layout(text), {.title = "<&\"> title"})));
  }
  CHECK(is_well_formed(to_svg("(200,300)"_layout, {.max_rows = 3, .max_columns = 3})));
}

TEST_CASE("a picture that stands alone brings its paper, in a page the page is the paper") {
  const std::string svg = to_svg("(4,8):(8,1)"_layout);
  const std::size_t box = svg.find("viewBox=\"") + 9;
  std::istringstream numbers(svg.substr(box, svg.find('"', box) - box));
  std::string x, y, w, h;
  numbers >> x >> y >> w >> h;
  const std::string paper =
      "<rect x=\"" + x + "\" y=\"" + y + "\" width=\"" + w + "\" height=\"" + h + "\" class=\"backdrop paper\"/>";
  // Right behind the style sheet: below all else.
  CHECK(svg.find("</style>\n" + paper + "\n") != std::string::npos);
  CHECK(count(picture_style(), ".paper{fill:") == 2);  // light and dark
  CHECK(count(picture_style(), ".backdrop{display:none}") == 0);
  CHECK(picture_page_style().ends_with(".sectile-figure .backdrop{display:none}\n"));
}

namespace {

/// Relative luminance of "#rrggbb" (WCAG 2).
double luminance(const std::string& colour) {
  double sum = 0;
  const double weight[] = {0.2126, 0.7152, 0.0722};
  for (std::size_t i = 0; i < 3; ++i) {
    const double c = std::stoi(colour.substr(1 + 2 * i, 2), nullptr, 16) / 255.0;
    sum += weight[i] * (c <= 0.04045 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4));
  }
  return sum;
}

double contrast(const std::string& a, const std::string& b) {
  const double x = luminance(a), y = luminance(b);
  return (std::max(x, y) + 0.05) / (std::min(x, y) + 0.05);
}

}  // namespace

TEST_CASE("words can be read on every fill, in both themes") {
  for (const bool dark : {false, true}) {
    const auto colour = [dark](const std::string& selector) -> std::string {
      for (const detail::themed_rule& r : detail::themed_rules)
        if (r.selector == selector) return dark ? r.dark : r.light;
      FAIL("no rule ", selector);
      return "";
    };
    for (const char* fill : {".g0", ".g1", ".g2", ".g3", ".g4", ".g5", ".g6", ".g7", ".paper", ".soft"}) {
      CAPTURE(fill);
      CHECK(contrast(colour(""), colour(fill)) >= 7);
      CHECK(contrast(colour(".accent"), colour(fill)) >= 4.5);
    }
    for (const char* words : {".muted", ".accent", ".second"})
      for (const char* fill : {".paper", ".soft"}) CHECK(contrast(colour(words), colour(fill)) >= 4.5);
    for (const char* line : {".cell", ".frame", ".mark", ".mark2"})
      CHECK(contrast(colour(line), colour(".paper")) >= 3);
  }
}

TEST_CASE("a page's style sheet has the picture's rules, for a theme of the reader's choice as well") {
  const std::string page = picture_page_style(), own = picture_style();
  CHECK(count(own, "{") - 1 == count(own, "}") - 1);
  CHECK(count(page, "{") == count(page, "}"));
  CHECK(page.starts_with(own.substr(0, own.find("@media"))));
  for (const detail::themed_rule& r : detail::themed_rules) {
    const std::string rule = ".sectile-figure" + std::string(*r.selector == '\0' ? "" : " ") + r.selector + "{" +
                             r.property + ":" + r.dark + "}";
    CHECK(count(own, rule) == 1);
    CHECK(count(page, ":root[data-theme=dark] " + rule) == 1);
    CHECK(count(page, ":root:not([data-theme=light]) " + rule) == 1);
  }
}

TEST_CASE("offsets that are all multiples of a stride have as many colours as others") {
  for (const layout& l : {"(4,8):(8,1)"_layout, "(4,8):(1024,128)"_layout, "(4,8):(-72,9)"_layout}) {
    const std::string svg = to_svg(l, {.view = picture_view::logical});
    CAPTURE(to_string(l));
    CHECK(count(svg, "\"cell g0\"") == 4);
    CHECK(count(svg, "\"cell g7\"") == 4);
  }
}

TEST_CASE("colours follow the group that the caller names") {
  const auto by_row = [](const picture_element& e) { return e.row; };
  const std::string svg = to_svg("(4,8):(8,1)"_layout, {.view = picture_view::logical, .group = by_row});
  for (const char* colour : {"\"cell g0\"", "\"cell g1\"", "\"cell g2\"", "\"cell g3\""})
    CHECK(count(svg, colour) == 8);
  CHECK(count(svg, "\"cell g4\"") == 0);
}
