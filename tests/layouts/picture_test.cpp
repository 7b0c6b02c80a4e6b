// Pictures: the text grids cell by cell, and that every SVG is well formed and says what it shows.
#include <doctest/doctest.h>

#include <algorithm>
#include <sectile/layouts/picture.hpp>
#include <string>
#include <vector>

using namespace sectile;
using namespace sectile::literals;

namespace {

/// Whether every tag is closed in order, quotes are paired and no stray '<' or '&' is left.
bool is_well_formed(const std::string& xml) {
  std::vector<std::string> open;
  for (std::size_t at = 0; at < xml.size(); ++at) {
    if (xml[at] == '&') {
      const std::size_t end = xml.find(';', at);
      if (end == std::string::npos || end - at > 5) return false;
    }
    if (xml[at] != '<') continue;
    const std::size_t end = xml.find('>', at);
    if (end == std::string::npos) return false;
    const std::string tag = xml.substr(at + 1, end - at - 1);
    if (tag.find('<') != std::string::npos || std::count(tag.begin(), tag.end(), '"') % 2 != 0) return false;
    const std::string name = tag.substr(0, tag.find(' '));
    if (name[0] == '/') {
      if (open.empty() || open.back() != name.substr(1)) return false;
      open.pop_back();
    } else if (tag.back() != '/') {
      open.push_back(name);
    }
    at = end;
  }
  return open.empty();
}

std::size_t count(const std::string& text, const std::string& part) {
  std::size_t n = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++n;
  return n;
}

}  // namespace

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
  CHECK(count(svg, "<rect") == 2 * 32);
  CHECK(count(svg, "class=\"label\"") == 2 * 32);
  CHECK(count(svg, "<title>Sw&lt;2,0,3&gt; o 0 o (4,8):(8,1)</title>") == 1);
  CHECK(count(svg, "<desc>Layout (4,8):(8,1) with 32 elements. Offsets are swizzled by Sw&lt;2,0,3&gt;.") == 1);
  CHECK(count(svg, "prefers-color-scheme:dark") == 1);
  CHECK(count(svg, "role=\"img\"") == 1);
  for (const char* text : {"1:0", "7:-3", "(2,(3,4),5):(0,(1,7),2)"}) {
    CHECK(is_well_formed(to_svg(parse_layout(text), {.title = "<&\"> title"})));
  }
  CHECK(is_well_formed(to_svg("(200,300)"_layout, {.max_rows = 3, .max_columns = 3})));
}

TEST_CASE("colours follow the group that the caller names") {
  const auto by_row = [](const picture_element& e) { return e.row; };
  const std::string svg = to_svg("(4,8):(8,1)"_layout, {.view = picture_view::logical, .group = by_row});
  for (const char* colour : {"\"g0\"", "\"g1\"", "\"g2\"", "\"g3\""}) CHECK(count(svg, colour) == 8);
  CHECK(count(svg, "\"g4\"") == 0);
}
