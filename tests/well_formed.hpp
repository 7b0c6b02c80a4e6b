// Whether a text is XML, as far as pictures need it.
#pragma once
#include <algorithm>
#include <string>
#include <vector>

namespace sectile::test {

/// Whether every tag is closed in order, quotes are paired and no stray '<' or '&' is left.
inline bool is_well_formed(const std::string& xml) {
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

/// How often `part` is in `text`.
inline std::size_t count(const std::string& text, const std::string& part) {
  std::size_t n = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++n;
  return n;
}

}  // namespace sectile::test
