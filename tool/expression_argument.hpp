// An argument that is an expression of the layout algebra.
#pragma once

#include <fmt/format.h>

#include <sectile/layouts/expression.hpp>
#include <string>

#include "tool/input_error.hpp"

namespace sectile::tool {

/// Its value. Throws input_error with what is wrong; `command` begins the message of a text that is no expression.
inline expressions::value expression_argument(const char* command, const std::string& text) {
  const evaluated e = evaluate(text);
  if (e) return e.result;
  const std::string all = explained(text, e);
  const std::size_t line = all.find("\n  ");  // the text at fault, and the caret under the place
  const std::string sentence = all.substr(0, line), below = line == std::string::npos ? "" : all.substr(line + 1);
  throw input_error(e.refused ? sentence : fmt::format("{}: {}", command, sentence), below);
}

}  // namespace sectile::tool
