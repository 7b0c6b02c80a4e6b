#pragma once
// The names of the expression language: its words, its functions, and which of them a wrong name is nearest to.

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include <sectile/layouts/expression_algebra.hpp>
#include <sectile/layouts/expression_hardware.hpp>

namespace sectile::expressions {

/// A name that stands for a value.
struct constant {
  const char* name;
  value of;
};

/// Directions, swizzle modes, element types, true and false.
inline const std::vector<constant>& constants() {
  static const std::vector<constant> table = {{"k", major::k},
                                              {"mn", major::mn},
                                              {"none", swizzle_mode::none},
                                              {"b32", swizzle_mode::b32},
                                              {"b64", swizzle_mode::b64},
                                              {"b128", swizzle_mode::b128},
                                              {"f32", element_of<f32>()},
                                              {"tf32", element_of<tf32>()},
                                              {"f16", element_of<f16>()},
                                              {"bf16", element_of<bf16>()},
                                              {"e4m3", element_of<e4m3>()},
                                              {"e5m2", element_of<e5m2>()},
                                              {"s8", element_of<s8>()},
                                              {"u8", element_of<u8>()},
                                              {"s32", element_of<s32>()},
                                              {"s4", element_of<s4x2>()},
                                              {"u4", element_of<u4x2>()},
                                              {"b1", element_of<b1x8>()},
                                              {"true", true},
                                              {"false", false}};
  return table;
}

/// Every function, in the order of its chapter.
inline const std::vector<function>& functions() {
  static const std::vector<function> table = [] {
    std::vector<function> all;
    for (const auto part : {structure_functions(), algebra_functions(), hardware_functions()}) {
      all.insert(all.end(), part.begin(), part.end());
    }
    return all;
  }();
  return table;
}

/// The value of a constant, or nullptr.
inline const value* constant_named(std::string_view name) {
  for (const constant& c : constants()) {
    if (name == c.name) return &c.of;
  }
  return nullptr;
}

/// The function of a name, or nullptr.
inline const function* function_named(std::string_view name) {
  for (const function& f : functions()) {
    if (name == f.name) return &f;
  }
  return nullptr;
}

/// How many letters must be added, removed or changed to turn one word into the other (V. Levenshtein, 1965).
inline std::size_t letters_apart(std::string_view from, std::string_view to) {
  std::vector<std::size_t> line(to.size() + 1);
  for (std::size_t j = 0; j <= to.size(); ++j) line[j] = j;
  for (std::size_t i = 1; i <= from.size(); ++i) {
    std::size_t diagonal = line[0]++;
    for (std::size_t j = 1; j <= to.size(); ++j) {
      const std::size_t changed = diagonal + (from[i - 1] == to[j - 1] ? 0 : 1);
      diagonal = line[j];
      line[j] = std::min({changed, line[j] + 1, line[j - 1] + 1});
    }
  }
  return line.back();
}

/// "did you mean x or y?" with at most four names near `name`, empty if none is: those that contain it, the ones that
/// begin with it first; if there are none, those that the fewest letters tell apart.
inline std::string nearest_names(std::string_view name, const std::vector<std::string>& of_the_user) {
  std::vector<std::string> known = of_the_user;
  for (const constant& c : constants()) known.emplace_back(c.name);
  for (const function& f : functions()) known.emplace_back(f.name);
  std::vector<std::string> meant;
  std::size_t nearest = name.size() < 3 ? 0 : std::max<std::size_t>(1, name.size() / 3);
  for (const std::string& candidate : known) {
    const bool contains = name.size() >= 3 && candidate.find(name) != std::string::npos;
    const std::size_t distance = contains ? 0 : letters_apart(name, candidate);
    if (distance > nearest) continue;
    if (distance < nearest) meant.clear();
    nearest = distance;
    meant.push_back(candidate);
  }
  std::stable_partition(meant.begin(), meant.end(),
                        [name](const std::string& candidate) { return candidate.rfind(name, 0) == 0; });
  if (meant.size() > 4) meant.resize(4);
  std::string text;
  for (const std::string& candidate : meant) text += (text.empty() ? "did you mean " : " or ") + candidate;
  return text.empty() ? text : text + "?";
}

}  // namespace sectile::expressions
