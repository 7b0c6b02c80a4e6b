#include "tool/tune/measured_family.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "tool/input_error.hpp"
#include "tool/tune/measuring.hpp"

namespace sectile::tool {
namespace {

/// The letter of each member, see measured_shape.
std::string letters_of(const timed_problem& p, const predictor& predicted, const family_facts& family) {
  double least_measured = std::numeric_limits<double>::infinity(), least_predicted = least_measured;
  for (int i = 0; i < family.count; ++i) {
    if (const auto& us = p.us[static_cast<std::size_t>(i)]) least_measured = std::min(least_measured, *us);
    least_predicted = std::min(least_predicted, predicted.microseconds(family.members[i]));
  }
  std::string letters;
  for (int i = 0; i < family.count; ++i) {
    const auto& us = p.us[static_cast<std::size_t>(i)];
    const double ratio =
        us ? *us / least_measured * least_predicted / predicted.microseconds(family.members[i]) : worth_measuring;
    const auto steps = std::lround(std::clamp((ratio - 1) / ratio_step, -1.0 * ratio_steps, 1.0 * ratio_steps));
    letters += static_cast<char>(middle_letter + steps);
  }
  return letters;
}

int best_of(const timed_problem& p) {
  const auto before = [](const std::optional<double>& a, const std::optional<double>& b) {
    return a && (!b || *a < *b);
  };
  return static_cast<int>(std::ranges::min_element(p.us, before) - p.us.begin());
}

}  // namespace

const gpu_constants& own_constants(const std::string& name, const std::string& gpu) {
  const gpu_constants& constants = constants_of(gpu.c_str());
  if (!gpu.starts_with(constants.name))
    throw input_error(
        fmt::format("{}: it was measured on an {}, of which the cost model has no constants; add some to "
                    "dsl/launch/cost_model.cpp",
                    name, gpu));
  return constants;
}

void make_picking_table(picking_table& to, const shipped_family& family, const tuning_table& measured,
                        const gpu_constants& gpu) {
  to.table = {.gpu = gpu.name, .family = measured.head.family};
  std::ranges::copy(measured.head.modes, to.table.modes);
  to.problem.resize(measured.problems.size());
  std::iota(to.problem.begin(), to.problem.end(), std::size_t{0});
  const mode_id first = measured.head.modes[0];
  std::ranges::stable_sort(to.problem, {}, [&](std::size_t i) { return measured.problems[i].sizes.of(first); });
  for (const std::size_t i : to.problem) {
    const timed_problem& p = measured.problems[i];
    const predictor predicted(*family.facts->operands, p.sizes, gpu);
    int size[max_measured_modes]{};
    for (std::size_t m = 0; m < measured.head.modes.size(); ++m) size[m] = p.sizes.of(measured.head.modes[m]);
    const char* letters = to.letters.emplace_back(letters_of(p, predicted, *family.facts)).c_str();
    to.shapes.push_back({{size[0], size[1], size[2], size[3], size[4], size[5]}, best_of(p), letters});
  }
  to.table.shapes = to.shapes.data();
  to.table.count = static_cast<int>(to.shapes.size());
}

std::string header_text(const shipped_family& family, std::span<const tuning_table> measured) {
  std::string text = fmt::format(
      "// Which members of {} are fast, as measured: data for picks, see dsl/launch/measured.hpp.\n"
      "// Made by `sectile tune --table TABLE.json --header`; a change by hand is lost.\n",
      family.type);
  for (const tuning_table& t : measured)
    text += fmt::format("//   {}: {} problems, {}, {}\n", t.head.gpu, t.problems.size(), t.head.date, t.head.software);
  text +=
      fmt::format("#pragma once\n#include <sectile/dsl/launch/measured.hpp>\n#include <{}>\n\nnamespace sectile {{\n\n",
                  family.header);
  text += "namespace kernels::tables {\n\n";
  std::string tables;
  for (std::size_t t = 0; t < measured.size(); ++t) {
    const table_head& head = measured[t].head;
    picking_table data;
    make_picking_table(data, family, measured[t], own_constants(head.gpu, head.gpu));
    text += fmt::format("inline constexpr measured_shape {}_{}[] = {{\n", family.type, t);
    for (const measured_shape& s : data.shapes)
      text += fmt::format("    {{{{{}}}, {}, \"{}\"}},\n", fmt::join(s.sizes, s.sizes + head.modes.size(), ", "),
                          s.best, s.ratios);
    text += "};\n";
    std::string modes;
    for (const mode_id m : head.modes)
      modes += fmt::format("{}mode_named(\"{}\")", modes.empty() ? "" : ", ", text_of(m).text);
    tables += fmt::format("    {{\"{}\", 0x{:016x}, {{{}}}, {}_{}, {}}},\n", data.table.gpu, head.family, modes,
                          family.type, t, data.table.count);
  }
  text += fmt::format("inline constexpr measured_table {}[] = {{\n{}}};\n\n}}  // namespace kernels::tables\n\n",
                      family.type, tables);
  text += fmt::format(
      "template <>\ninline constexpr measured_table_list measured_tables<kernels::{}>{{kernels::tables::{}, "
      "{}}};\n\n}}  // "
      "namespace sectile\n",
      family.type, family.type, measured.size());
  return text;
}

}  // namespace sectile::tool
