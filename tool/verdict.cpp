#include "tool/verdict.hpp"

#include <fmt/format.h>

#include <cmath>

#include "tool/progress.hpp"
#include "tool/reference.hpp"

namespace sectile::tool {
namespace {

std::string element_text(const std::vector<std::int64_t>& shape, std::size_t index) {
  return shape.empty() ? "it" : "element " + coordinate_text(shape, static_cast<std::int64_t>(index));
}

/// The element whose error is the largest part of what rounding explains there.
struct worst_element {
  double part = 0, error = 0;
  std::size_t index = 0;
};
worst_element find_worst(const std::vector<double>& result, const answer& right) {
  worst_element worst;
  for (std::size_t i = 0; i < result.size(); ++i) {
    const double error = std::fabs(result[i] - right.values[i]);
    if (error > worst.part * right.off[i]) worst = {error / right.off[i], error, i};
  }
  return worst;
}

void judge_one_by_one(verdict& v, const std::vector<double>& result, const answer& right,
                      const std::vector<std::int64_t>& shape) {
  const worst_element worst = find_worst(result, right);
  const std::string name = element_text(shape, worst.index);
  const double rounding = right.off[worst.index];
  v.right = worst.part <= 1;
  if (v.right && shape.size() > 1)  // of many elements one is at the bound of any rounding
    v.words = fmt::format("relative L2 {:.2e}, no element is off by more than is rounding there", v.relative_l2);
  else if (v.right)
    v.words = fmt::format("{} is off by {:.2g} (at most {:.2g} is rounding){}", name, worst.error, rounding,
                          shape.empty() ? "" : ", no other by a larger part");
  else
    v.words = fmt::format("{} is {}, not {} (off by at most {:.2g} is rounding)", name, result[worst.index],
                          right.values[worst.index], rounding);
}

}  // namespace

verdict judge(const std::vector<double>& given, const answer& right, const std::vector<std::int64_t>& shape) {
  std::vector<double> result = given;
  for (std::size_t i = 0; i < right.untouched.size(); ++i) {
    if (!right.untouched[i]) continue;
    if (!std::isnan(given[i]))
      return {.words = fmt::format("{} is {}, where nothing is to be written", element_text(shape, i), given[i])};
    result[i] = right.values[i];
  }
  const error_report error = compare(std::span(result), std::span(right.values));
  const auto worst = static_cast<std::size_t>(error.worst_index);
  verdict v{.right = is_within(error, right.bar), .relative_l2 = error.relative_l2, .bar = right.bar, .words = {}};
  if (!error.finite) {
    v.right = false;
    v.words = fmt::format("{} is {}", element_text(shape, worst), result[worst]);
  } else if (!right.off.empty()) {
    judge_one_by_one(v, result, right, shape);
  } else if (right.bar > 0) {
    v.words = fmt::format("relative L2 {:.2e} (at most {:.2g} is rounding)", error.relative_l2, right.bar);
    if (error.worst_index >= 0)
      v.words +=
          fmt::format(", largest difference {:.2g} at {}", error.max_abs, coordinate_text(shape, error.worst_index));
  } else if (error.worst_index < 0) {
    v.words = shape.empty() ? "none, it is exact" : fmt::format("none, all {} elements are exact", result.size());
  } else {
    v.words = fmt::format("{} is {}, not {}", element_text(shape, worst), result[worst], right.values[worst]);
  }
  return v;
}

std::vector<verdict> check_results(const operand_buffers& operands, const problem& p) {
  progress tick("float64 reference", p.reference_steps);
  const std::vector<answer> right = p.reference(p.inputs, tick);
  std::vector<verdict> all;
  for (std::size_t i = 0; i < right.size(); ++i)
    all.push_back(judge(operands.outputs[i].values(), right[i], p.output_shapes[i]));
  return all;
}

verdict whole_verdict(const kernel_facts& kernel, const std::vector<verdict>& of_outputs) {
  verdict all = of_outputs[0];
  if (of_outputs.size() == 1) return all;
  all.words.clear();
  for (std::size_t i = 0; i < of_outputs.size(); ++i) {
    all.right = all.right && of_outputs[i].right;
    all.words +=
        fmt::format("{}{}: {}", i == 0 ? "" : "; ", kernel.output(static_cast<int>(i)).name, of_outputs[i].words);
  }
  return all;
}

}  // namespace sectile::tool
