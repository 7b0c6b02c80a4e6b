#include "tool/verdict.hpp"

#include <fmt/format.h>

#include "tool/progress.hpp"
#include "tool/reference.hpp"

namespace sectile::tool {

verdict check_result(const tensor_buffer& output, const problem& p) {
  progress tick("float64 reference", p.reference_steps);
  const std::vector<double> result = output.values();
  const answer right = p.reference(p.inputs, tick);
  const error_report error = compare(std::span(result), std::span(right.values));
  const auto worst = static_cast<std::size_t>(error.worst_index);
  const std::string place = error.worst_index < 0 ? "" : coordinate_text(p.output_shape, error.worst_index);
  verdict v{.right = is_within(error, right.bar), .relative_l2 = error.relative_l2, .bar = right.bar, .words = {}};
  if (!error.finite) {
    v.words = fmt::format("element {} is {}", place, result[worst]);
  } else if (right.bar > 0) {
    v.words = fmt::format("relative L2 {:.2e} (at most {:.2g} is rounding)", error.relative_l2, right.bar);
    if (error.worst_index >= 0) v.words += fmt::format(", largest difference {:.2g} at {}", error.max_abs, place);
  } else if (error.worst_index < 0) {
    v.words = fmt::format("none, all {} integers are exact", result.size());
  } else {
    v.words = fmt::format("element {} is {}, not {}", place, result[worst], right.values[worst]);
  }
  return v;
}

}  // namespace sectile::tool
