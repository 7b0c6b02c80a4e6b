#include "tool/npy_header.hpp"

#include <fmt/format.h>

#include <array>
#include <charconv>

namespace sectile::tool {
namespace {

struct type_name {
  std::string_view descr;
  npy_type type;
};
constexpr std::array<type_name, 13> type_names{{{"<f2", npy_type::f2},
                                                {"<f4", npy_type::f4},
                                                {"<f8", npy_type::f8},
                                                {"|u1", npy_type::u1},
                                                {"|i1", npy_type::i1},
                                                {"<u2", npy_type::u2},
                                                {"<i4", npy_type::i4},
                                                {"<V2", npy_type::bf16},
                                                {"|V2", npy_type::bf16},
                                                {"<V1", npy_type::e4m3},
                                                {"|V1", npy_type::e4m3},
                                                {"<f1", npy_type::e5m2},
                                                {"|f1", npy_type::e5m2}}};
constexpr std::size_t largest_rank = 32;

struct header_reader {
  std::string_view text;
  npy_array& array;
  std::size_t position = 0;

  [[noreturn]] void refuse(const std::string& reason) const {
    throw input_error(fmt::format("{}: {}", array.file, reason));
  }
  [[noreturn]] void expected(std::string_view what) const {
    refuse(fmt::format("its header is malformed at position {}: expected {}", position, what));
  }

  void skip_blanks() {
    while (position < text.size() && text[position] == ' ') ++position;
  }
  bool accept(std::string_view token) {
    skip_blanks();
    if (!text.substr(position).starts_with(token)) return false;
    position += token.size();
    return true;
  }
  void require(std::string_view token) {
    if (!accept(token)) expected(fmt::format("'{}'", token));
  }

  std::string_view quoted() {
    skip_blanks();
    const char quote = position < text.size() ? text[position] : ' ';
    if (quote != '\'' && quote != '"') expected("a quoted text");
    const std::size_t end = text.find(quote, position + 1);
    if (end == std::string_view::npos) expected("a text whose quote is closed");
    const std::string_view content = text.substr(position + 1, end - position - 1);
    position = end + 1;
    return content;
  }

  std::int64_t size() {
    skip_blanks();
    std::int64_t value = 0;
    const char* const begin = text.data() + position;
    const auto [end, error] = std::from_chars(begin, text.data() + text.size(), value);
    if (error == std::errc::result_out_of_range) {
      refuse(fmt::format("size {} of its shape is over 2^63 - 1", array.shape.size()));
    }
    if (error != std::errc{}) expected("a size");
    if (value < 0) refuse(fmt::format("size {} of its shape is {}; a size is at least 0", array.shape.size(), value));
    position += static_cast<std::size_t>(end - begin);
    return value;
  }

  void read_type() {
    skip_blanks();
    if (position < text.size() && text[position] == '[') refuse("it holds records; expected an array of numbers");
    const std::string_view descr = quoted();
    for (const type_name& known : type_names) {
      if (known.descr == descr) {
        array.type = known.type;
        return;
      }
    }
    if (descr.starts_with('>')) {
      refuse(fmt::format("its type '{}' is big-endian; save it with .astype('<{}')", printable(descr),
                         printable(descr.substr(1))));
    }
    refuse(fmt::format("its type '{}' is not supported; expected '<f2', '<f4', '<f8', '|u1', '|i1', '<u2', '<i4', {}",
                       printable(descr), "'<V2' (bfloat16), '<V1' (float8_e4m3fn) or '<f1' (float8_e5m2)"));
  }

  void read_order() {
    if (accept("True")) {
      array.order = npy_order::fortran;
    } else if (accept("False")) {
      array.order = npy_order::c;
    } else {
      expected("True or False");
    }
  }

  void read_shape() {
    array.shape.clear();
    require("(");
    bool comma = true;
    while (!accept(")")) {
      if (!comma) expected("',' or ')'");
      array.shape.push_back(size());
      if (array.shape.size() > largest_rank) refuse(fmt::format("it has over {} dimensions", largest_rank));
      comma = accept(",");
    }
    if (array.shape.size() == 1 && !comma) expected("a tuple; one size is written (N,)");
  }

  void read_entry(std::array<bool, 3>& seen) {
    constexpr std::array<std::string_view, 3> keys{"descr", "fortran_order", "shape"};
    const std::size_t begin = position;
    const std::string_view key = quoted();
    std::size_t which = 0;
    while (which < keys.size() && keys[which] != key) ++which;
    if (which == keys.size() || seen[which]) {
      position = begin;
      expected("each of 'descr', 'fortran_order' and 'shape' once");
    }
    seen[which] = true;
    require(":");
    if (which == 0) read_type();
    if (which == 1) read_order();
    if (which == 2) read_shape();
  }

  void read() {
    std::array<bool, 3> seen{};
    require("{");
    bool comma = true;
    while (!accept("}")) {
      if (!comma) expected("',' or '}'");
      read_entry(seen);
      comma = accept(",");
    }
    if (!seen[0] || !seen[1] || !seen[2]) refuse("its header lacks one of 'descr', 'fortran_order' and 'shape'");
    skip_blanks();
    if (text.substr(position) != "\n") expected("nothing but blanks and a line end");
  }

  /// A text of the file with anything that could upset a terminal replaced, and cut to a length that can be read.
  static std::string printable(std::string_view text) {
    std::string clean(text.substr(0, 32));
    for (char& c : clean) {
      if (c < ' ' || c > '~') c = '?';
    }
    return clean;
  }
};

}  // namespace

void parse_npy_header(std::string_view header, npy_array& array) {
  header_reader{.text = header, .array = array}.read();
}

std::string format_npy_header(const npy_array& array) {
  return fmt::format("{{'descr': {}, 'fortran_order': {}, 'shape': {}, }}", name_of(array.type),
                     array.order == npy_order::fortran ? "True" : "False", python_shape(array.shape));
}

std::string python_shape(std::span<const std::int64_t> shape) {
  return fmt::format("({}{})", fmt::join(shape, ", "), shape.size() == 1 ? "," : "");
}

std::string_view name_of(npy_type type) {
  switch (type) {
    case npy_type::f2:
      return "'<f2'";
    case npy_type::f4:
      return "'<f4'";
    case npy_type::f8:
      return "'<f8'";
    case npy_type::u1:
      return "'|u1'";
    case npy_type::i1:
      return "'|i1'";
    case npy_type::u2:
      return "'<u2'";
    case npy_type::i4:
      return "'<i4'";
    case npy_type::bf16:
      return "'<V2'";
    case npy_type::e4m3:
      return "'<V1'";
    case npy_type::e5m2:
      return "'<f1'";
  }
  return "'?'";
}

}  // namespace sectile::tool
