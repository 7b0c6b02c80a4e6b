#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <sectile/dsl/tell/promela/text.hpp>
#include <sectile/dsl/tell/timeline/example_sizes.hpp>

#include "tool/commands/commands.hpp"
#include "tool/files.hpp"
#include "tool/input_error.hpp"
#include "tool/records.hpp"
#include "tool/roofline/roofline.hpp"

namespace sectile::tool {
namespace {

/// One tile for each CTA of a cluster, and so many along what is summed over.
tell::example_sizes sizes_of_trips(const plan& p, int trips) {
  return tell::sizes_of(p, {.rows = p.how.cluster.rows, .cols = p.how.cluster.cols, .others = trips});
}

/// How many trips a problem of one tile for each CTA has; 0 if it is another, or if parts share the trips.
std::int64_t trips_of(const plan& p, const tell::example_sizes& s) {
  if (p.how.split > 1 || p.how.streamed) return 0;
  const tell::example_sizes one = sizes_of_trips(p, 1);
  const auto tiles = [&](const tell::example_sizes& of, int o, int d) {
    const std::int64_t tile = std::max<std::int64_t>(one.extent[o][d], 1);
    return (of.extent[o][d] + tile - 1) / tile;
  };
  std::int64_t trips = 1;
  for (int o = 0; o < p.operands; ++o)
    for (int d = 0; d < max_rank; ++d) trips = std::max(trips, tiles(s, o, d));
  if (trips > std::numeric_limits<int>::max()) return 0;
  const tell::example_sizes same = sizes_of_trips(p, static_cast<int>(trips));
  for (int o = 0; o < p.operands; ++o)
    for (int d = 0; d < max_rank; ++d)
      if (tiles(s, o, d) != tiles(same, o, d)) return 0;
  return trips;
}

/// What SPIN would have to hold, and what shows the same: from one trip more than there are stages on, each adds as
/// many states as the one before it (tests/spin asks SPIN whether that is so).
std::string too_long_text(const plan& p, const tell::example_sizes& s, const char* what) {
  const int trips = p.how.stages + 1;
  std::string text = fmt::format(
      "{}, more than SPIN holds; {} shows the same, as {} trips of a loop, one more than it has stages, show what more "
      "do",
      what, tell::sizes_text(p, sizes_of_trips(p, trips)), trips);
  if (const std::int64_t more = trips_of(p, s) - trips; more > 0)
    text += fmt::format(
        ". Of it SPIN has as many states as of that, and for each of {} further trips as many as {} has more", more,
        tell::sizes_text(p, sizes_of_trips(p, trips + 1)));
  return text;
}

tell::example_sizes extents_asked(const kernel_facts& kernel, const std::string& shape) {
  const named_sizes sizes = sizes_asked(kernel, shape);
  require_taken(kernel, sizes);
  const plan& p = *kernel.planned;
  tell::example_sizes asked;
  for (int o = 0; o < p.operands; ++o) {
    const operand_facts& f = p.operand[o].facts;
    if (f.kind == operand_kind::scalar) continue;
    const std::vector<std::int64_t> extent = sizes.of_operand(kernel, o);
    std::copy(extent.begin(), extent.end(), asked.extent[o]);
  }
  return asked;
}

void require_plan(const kernel_facts& kernel) {
  if (kernel.planned != nullptr) return;
  throw input_error(
      fmt::format("{} has no plan, and so no roles whose protocol could be exported; `sectile export --promela "
                  "gemm_bf16` exports one that is planned",
                  kernel.name));
}

}  // namespace

exit_status export_protocol(const export_options& options) {
  const kernel_facts& kernel = find_kernel(options.kernel);
  require_plan(kernel);
  const plan& p = *kernel.planned;
  if (options.earlier && !p.how.uses_workspace())
    throw input_error(
        fmt::format("--earlier is about parts of a tile that meet in a workspace, and {} has none", kernel.name));
  constexpr int few_trips = 2;
  const tell::example_sizes sizes =
      options.shape ? extents_asked(kernel, *options.shape) : sizes_of_trips(p, few_trips);
  const protocol_walker walker = find_walker(kernel.name);
  std::string text;
  try {
    text = tell::promela_text(walker(sizes.extent, !options.earlier),
                              fmt::format("The protocol of {} with {}, by `sectile export --promela`.", kernel.name,
                                          tell::sizes_text(p, sizes)));
  } catch (const tell::walk_is_too_long& error) {
    throw input_error(fmt::format("--shape {}: {}", options.shape.value_or(""), too_long_text(p, sizes, error.what())));
  }
  if (options.out)
    write_text(*options.out, text);
  else
    fmt::print("{}", text);
  return success;
}

}  // namespace sectile::tool
