#pragma once
// The notation for programs that run: std::string out, std::string_view in, streams. Kernels do not include this.

#include <ostream>
#include <string>
#include <string_view>

#include <sectile/layouts/swizzled.hpp>
#include <sectile/layouts/tiler.hpp>

namespace sectile {

/// The notation of a layout, swizzled layout, swizzle, tuple or tiler. Reading it back gives the same value.
template <class T>
requires requires(message& to, const T& value) { print(to, value); }
std::string to_string(const T& value) {
  const message text = notation(value);
  return {text.chars, static_cast<std::size_t>(text.length)};
}

/// Layout, e.g. "((8,16),(8,8)):((8,512),(1,64))" or "(4,8)".
/// Refuses what is not one: layout_error "position 7: expected a number or '(' after ',' in "...".
inline layout parse_layout(std::string_view text) {
  return value_or_refuse(try_parse_layout(text.data(), text.size()), text.data(), text.size());
}

/// Shape, stride or coordinate, e.g. "(4,(_,2))". Errors as in parse_layout.
inline int_tuple parse_tuple(std::string_view text) {
  return value_or_refuse(try_parse_tuple(text.data(), text.size()), text.data(), text.size());
}

/// Tiler, e.g. "<4:2,_>" or "(4,8)". Errors as in parse_layout.
inline tiler parse_tiler(std::string_view text) {
  return value_or_refuse(try_parse_tiler(text.data(), text.size()), text.data(), text.size());
}

/// Swizzled layout, e.g. "Sw<3,4,3> o 0 o (8,64):(64,1)"; a plain layout gets the swizzle that does nothing.
/// Errors as in parse_layout.
inline swizzled_layout parse_swizzled(std::string_view text) {
  return value_or_refuse(try_parse_swizzled(text.data(), text.size()), text.data(), text.size());
}

/// The notation of each, to a stream.
inline std::ostream& operator<<(std::ostream& out, const layout& l) { return out << to_string(l); }
inline std::ostream& operator<<(std::ostream& out, const swizzled_layout& l) { return out << to_string(l); }
inline std::ostream& operator<<(std::ostream& out, const swizzle& s) { return out << to_string(s); }
inline std::ostream& operator<<(std::ostream& out, const int_tuple& t) { return out << to_string(t); }
inline std::ostream& operator<<(std::ostream& out, const tiler& t) { return out << to_string(t); }

}  // namespace sectile
