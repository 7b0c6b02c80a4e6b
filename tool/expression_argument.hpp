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
  throw input_error(e.refused ? explained(text, e) : fmt::format("{}: {}", command, explained(text, e)));
}

}  // namespace sectile::tool
