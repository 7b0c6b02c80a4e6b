// Reading pictures back: their tips and their words, and the plans that are drawn.
#pragma once
#include <cstdio>
#include <string>
#include <string_view>
#include <vector>

#include "tests/well_formed.hpp"
#include "tool/kernel_list.hpp"

namespace sectile::test {

/// What stands between <tag> and </tag>, everywhere, from the first place behind `from`.
inline std::vector<std::string> contents(const std::string& svg, const std::string& tag, std::size_t from = 0) {
  std::vector<std::string> all;
  const std::string close = "</" + tag + ">";
  for (std::size_t at = svg.find("<" + tag, from); at != std::string::npos; at = svg.find("<" + tag, at + 1)) {
    const std::size_t begin = svg.find('>', at) + 1;
    all.push_back(svg.substr(begin, svg.find(close, begin) - begin));
  }
  return all;
}

/// What a pointer over a shape shows: every <title> but the picture's own.
inline std::vector<std::string> tips(const std::string& svg) { return contents(svg, "title", svg.find("</style>")); }

/// A rectangle with a tip.
struct tipped_rect {
  double x = 0, y = 0, width = 0, height = 0;
  std::string tip{};
};

inline std::vector<tipped_rect> tipped_rects(const std::string& svg) {
  std::vector<tipped_rect> all;
  for (std::size_t at = svg.find("<rect "); at != std::string::npos; at = svg.find("<rect ", at + 1)) {
    const std::size_t end = svg.find('>', at);
    if (svg.compare(end + 1, 7, "<title>") != 0) continue;
    tipped_rect s;
    std::sscanf(svg.c_str() + at, "<rect x=\"%lf\" y=\"%lf\" width=\"%lf\" height=\"%lf\"", &s.x, &s.y, &s.width,
                &s.height);
    s.tip = svg.substr(end + 8, svg.find("</title>", end) - end - 8);
    all.push_back(s);
  }
  return all;
}

inline std::vector<std::string> words(const std::string& svg) { return contents(svg, "text"); }

inline bool says(const std::string& svg, const std::string& word) {
  for (const std::string& w : words(svg))
    if (w == word) return true;
  return false;
}

inline const plan& plan_named(std::string_view kernel) { return *tool::find_kernel(kernel).planned; }

}  // namespace sectile::test
