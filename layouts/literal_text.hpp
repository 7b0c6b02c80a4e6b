#pragma once
// Texts that are template arguments.

#include <cstddef>

namespace sectile {

/// A text as a template argument.
template <std::size_t N>
struct literal_text {
  char chars[N] = {};

  constexpr literal_text() = default;
  constexpr literal_text(const char (&text)[N]) {
    for (std::size_t k = 0; k < N; ++k) chars[k] = text[k];
  }
};

/// What `Says` returns, as a template argument that is no longer than it is.
template <class Says>
constexpr auto literal_of(Says) {
  constexpr std::size_t length = [] {
    std::size_t n = 0;
    while (Says{}()[n] != '\0') ++n;
    return n;
  }();
  literal_text<length + 1> text;
  for (std::size_t k = 0; k < length; ++k) text.chars[k] = Says{}()[k];
  return text;
}

}  // namespace sectile
