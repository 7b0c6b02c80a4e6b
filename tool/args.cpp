#include "tool/args.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <limits>
#include <string>

#include "tool/input_error.hpp"

namespace sectile::tool {
namespace {

constexpr std::int64_t largest_size = std::numeric_limits<std::int32_t>::max();

/// "MxNxK" for "MNK".
std::string pattern(std::string_view names) {
  std::string text;
  for (char name : names) text += fmt::format("{}{}", text.empty() ? "" : "x", name);
  return text;
}

/// "M=..,N=..,K=.." for "MNK".
std::string named_pattern(std::string_view names) {
  std::string text;
  for (char name : names) text += fmt::format("{}{}=..", text.empty() ? "" : ",", name);
  return text;
}

struct shape_reader {
  std::string_view text;
  std::string_view names;
  std::size_t position = 0;

  /// How such a text is written.
  std::string expected() const {
    return text.find('=') == std::string_view::npos ? pattern(names) : named_pattern(names);
  }

  [[noreturn]] void refuse(const std::string& reason) const {
    throw input_error(fmt::format("shape '{}': {}", text, reason));
  }

  std::string_view digits() {
    const std::size_t begin = position;
    while (position < text.size() && text[position] >= '0' && text[position] <= '9') ++position;
    return text.substr(begin, position - begin);
  }

  std::int64_t size(char name) {
    const std::size_t begin = position;
    if (position == text.size()) refuse(fmt::format("it ends before {}; expected {}", name, expected()));
    const bool negative = text[position] == '-';
    position += negative ? 1 : 0;
    const std::string_view number = digits();
    if (number.empty()) {
      refuse(fmt::format("'{}' at position {} is no number; expected {} = {}", text.substr(position, 1), position, name,
                         "a whole number from 1 on"));
    }
    std::int64_t value = 0;
    const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), value);
    const bool fits = error == std::errc{} && value <= largest_size;
    if (negative || (fits && value == 0)) {
      refuse(fmt::format("{} = {}: every size must be at least 1", name, text.substr(begin, position - begin)));
    }
    if (!fits) refuse(fmt::format("{} = {}: every size must be at most {}", name, number, largest_size));
    return value;
  }

  void separator(char next) {
    if (position == text.size()) refuse(fmt::format("it ends before {}; expected {}", next, expected()));
    if (text[position] != 'x') {
      refuse(fmt::format("'{}' at position {}; sizes are separated by 'x', as in {}", text[position], position,
                         expected()));
    }
    ++position;
  }

  /// Reads "M=": which of the names it is.
  std::size_t name() {
    const std::size_t end = std::min(text.find_first_of("=,", position), text.size());
    const std::string_view word = text.substr(position, end - position);
    if (end == text.size() || text[end] != '=')
      refuse(fmt::format("'{}' at position {} is no size; expected {}", word, position, expected()));
    const std::size_t which = word.size() == 1 ? names.find(word[0]) : std::string_view::npos;
    if (which == std::string_view::npos) refuse(fmt::format("there is no mode '{}'; expected {}", word, expected()));
    position = end + 1;
    return which;
  }

  /// Whether a comma follows; else the text is over.
  bool comma() {
    if (position == text.size()) return false;
    if (text[position] != ',')
      refuse(fmt::format("'{}' at position {}; sizes are separated by ',', as in {}", text[position], position,
                         expected()));
    ++position;
    return true;
  }

  /// Refuses sizes whose product is too large.
  void require_countable(const std::vector<std::int64_t>& shape) const {
    std::int64_t product = 1;
    for (const std::int64_t size : shape) {
      if (product > std::numeric_limits<std::int64_t>::max() / size)
        refuse("the product of its sizes is over 2^63 - 1");
      product *= size;
    }
  }
};

}  // namespace

std::vector<std::int64_t> parse_shape(std::string_view text, std::string_view names) {
  shape_reader reader{.text = text, .names = names};
  std::vector<std::int64_t> shape;
  for (char name : names) {
    if (!shape.empty()) reader.separator(name);
    shape.push_back(reader.size(name));
  }
  reader.require_countable(shape);
  if (reader.position != text.size()) {
    reader.refuse(fmt::format("'{}' at position {} is too much; expected {}", text.substr(reader.position),
                              reader.position, reader.expected()));
  }
  return shape;
}

std::vector<std::int64_t> parse_named_shape(std::string_view text, std::string_view names) {
  if (text.find('=') == std::string_view::npos) return parse_shape(text, names);
  shape_reader reader{.text = text, .names = names};
  std::vector<std::int64_t> shape(names.size());
  do {
    const std::size_t which = reader.name();
    if (shape[which] != 0) reader.refuse(fmt::format("{} is there twice", names[which]));
    shape[which] = reader.size(names[which]);
  } while (reader.comma());
  for (std::size_t i = 0; i < names.size(); ++i)
    if (shape[i] == 0) reader.refuse(fmt::format("{} is missing; expected {}", names[i], reader.expected()));
  reader.require_countable(shape);
  return shape;
}

std::string shape_text(const std::vector<std::int64_t>& shape) { return fmt::format("{}", fmt::join(shape, "x")); }

}  // namespace sectile::tool
