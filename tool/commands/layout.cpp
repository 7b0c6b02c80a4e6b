#include <fmt/format.h>

#include <charconv>
#include <cstdio>
#include <iostream>
#include <sectile/layouts/expression.hpp>
#include <sectile/layouts/offset_finder.hpp>
#include <sectile/layouts/picture.hpp>
#include <sectile/layouts/queries.hpp>

#include "tool/commands/commands.hpp"
#include "tool/expression_argument.hpp"
#include "tool/files.hpp"
#include "tool/input_error.hpp"
#include "tool/printable.hpp"

namespace sectile::tool {
namespace {

/// The layout that an expression is.
swizzled_layout read_layout_text(const std::string& text) {
  // What is a layout in the plain notation is one here, however deep it nests.
  if (const parsed<swizzled_layout> plain = try_parse_swizzled(text.data(), text.size())) return plain.value;
  const expressions::value value = expression_argument("layout", text);
  swizzled_layout l;
  if (expressions::as_swizzled(value, l)) return l;
  throw input_error(
      fmt::format("layout: {} is {}, not a layout; `sectile evaluate` prints it", text, expressions::kind_name(value)));
}

/// "3,4,3" as a swizzle.
swizzle read_swizzle_text(const std::string& text) {
  int number[3]{};
  const char* at = text.data();
  const char* const end = at + text.size();
  for (int i = 0; i < 3; ++i) {
    const auto [after, error] = std::from_chars(at, end, number[i]);
    const bool more = i < 2;
    if (error != std::errc{} || (more ? after == end || *after != ',' : after != end)) {
      throw input_error(fmt::format("--swizzle {}: expected bits,base,shift as in 3,4,3", text));
    }
    at = after + (more ? 1 : 0);
  }
  return make_swizzle(number[0], number[1], number[2]);
}

void print_facts(const swizzled_layout& l) {
  const bool swizzled = l.pattern.bits > 0;
  fmt::print("layout     {}\n", swizzled ? to_string(l) : to_string(l.inner));
  fmt::print("coalesced  {}\n", swizzled ? to_string(coalesce(l)) : to_string(coalesce(l.inner)));
  fmt::print("size {}, cosize {}, rank {}, depth {}\n", size(l), cosize(l), rank(l), depth(l));
  // A swizzle is a bijection of offsets, so it makes no difference here.
  const bool injective = is_injective(l.inner);
  const std::int64_t offsets = bounds_of_offsets({.inner = l.inner}).count;
  fmt::print("{}{}\n\n", injective ? "injective" : "not injective: some coordinates share an offset",
             !injective           ? ""
             : offsets == size(l) ? ", compact"
                                  : fmt::format(", not compact: {} of {} offsets are used", size(l), offsets));
}

void list_functions() {
  for (const expressions::function& f : expressions::functions()) fmt::print("{}({})\n", f.name, f.signature);
}

/// The value of each line of standard input, or why it has none behind "no: ".
void evaluate_lines() {
  for (std::string line; std::getline(std::cin, line);) {
    const evaluated e = evaluate(line);
    fmt::print("{}{}\n", e ? "" : "no: ", e ? to_text(e.result) : printable(e.problem));
  }
  if (std::ferror(stdin) != 0)
    throw input_error("evaluate --lines: standard input cannot be read; is it a folder?");
}

}  // namespace

exit_status evaluate_expression(const evaluate_options& options) {
  if (options.functions || options.lines) {
    const char* otherwise = options.functions ? "--functions lists them" : "--lines reads standard input";
    if (!options.text.empty() || (options.functions && options.lines))
      throw input_error(fmt::format("evaluate: {}, and takes no expression", otherwise));
    if (options.functions) list_functions();
    if (options.lines) evaluate_lines();
  } else if (options.text.empty()) {
    throw input_error("evaluate: which expression? (see `sectile evaluate --help`)");
  } else {
    fmt::print("{}\n", to_text(expression_argument("evaluate", options.text)));
  }
  return success;
}

exit_status show_layout(const layout_options& options) {
  if (options.svg) require_writable(*options.svg);
  swizzled_layout l = read_layout_text(options.text);
  if (options.swizzle) {
    if (l.pattern.bits > 0) throw input_error("--swizzle: the layout has a swizzle of its own");
    l = with_swizzle(l.inner, read_swizzle_text(*options.swizzle), l.offset);
  }
  const bool swizzled = l.pattern.bits > 0;
  picture_options picture{.view = swizzled ? picture_view::both : picture_view::logical};
  const std::string svg = to_svg(l, picture);
  picture.max_rows = picture.max_columns = 16;  // of a terminal
  const std::string grid = to_grid(l, picture);
  if (options.svg) write_text(*options.svg, svg);
  print_facts(l);
  fmt::print("{}", grid.substr(grid.find('\n') + 2));  // the title repeats the layout
  if (options.svg) fmt::print("picture: {}\n", printable(options.svg->string()));
  return success;
}

}  // namespace sectile::tool
