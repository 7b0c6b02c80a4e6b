#include "tool/numbers.hpp"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <utility>

#include "tool/images.hpp"
#include "tool/input_error.hpp"
#include "tool/operand_options.hpp"

namespace sectile::tool {
namespace {

/// Of attention those behind the scale.
const std::vector<float>& declared_values(const formula& computes) {
  if (const auto* product = std::get_if<product_formula>(&computes)) return product->numbers;
  if (const auto* row = std::get_if<row_formula>(&computes)) return row->numbers;
  return std::get<attention_formula>(computes).numbers;
}

float parse_number(const std::string& option, const std::string& text) {
  float value = 0;
  const char* const end = text.data() + text.size();
  const auto [stopped, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc{} || stopped != end || !std::isfinite(value))
    throw input_error(fmt::format("{}: '{}' is not a finite number that f32 has a place for", option, text));
  return value;
}

}  // namespace

std::vector<named_number> numbers_of(const kernel_facts& kernel) {
  std::vector<named_number> all;
  const std::vector<float>& values = declared_values(kernel.computes);
  bool follows_from_sizes = kernel.attention() && !kernel.attention()->scaled;  // the first one
  for (int o = 0; o < kernel.declared->operands; ++o)
    if (const operand_facts& facts = kernel.declared->operand[o].facts; facts.kind == operand_kind::scalar)
      if (!std::exchange(follows_from_sizes, false)) all.push_back({&facts, values.at(all.size())});
  for (int i = 0; takes_image(kernel) && i < path_numbers; ++i) all.push_back({&path_number(i), usual_path[i]});
  return all;
}

std::vector<float> chosen_numbers(const kernel_facts& kernel,
                                  const std::function<std::optional<std::string>(const std::string&)>& given) {
  std::vector<float> all;
  for (const auto& [operand, value] : numbers_of(kernel)) {
    const std::string option = option_of(*operand);
    const std::optional<std::string> text = given(option);
    all.push_back(text ? parse_number(option, *text) : value);
  }
  return all;
}

std::string numbers_text(const kernel_facts& kernel, const std::vector<float>& values) {
  std::string text;
  const std::vector<named_number> named = numbers_of(kernel);
  for (std::size_t i = 0; i < named.size(); ++i) text += fmt::format(", {} = {}", named[i].operand->name, values[i]);
  return text;
}

}  // namespace sectile::tool
