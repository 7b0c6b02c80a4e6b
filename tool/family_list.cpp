#include "tool/family_list.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <numeric>
#include <sectile/kernels/gemm_family.hpp>
#include <vector>

#include "tool/args.hpp"
#include "tool/input_error.hpp"

namespace sectile::tool {
namespace {

using bf16_family = kernels::gemm_bf16_family;
constexpr shipped_family families[] = {{"gemm_bf16", "sectile/kernels/gemm_family.hpp", "gemm_bf16_family",
                                        &family_facts_of<bf16_family>, bf16_family::how.at}};

problem_size sizes_of_shape(const std::string& shape) {
  const std::vector<std::int64_t> mnk = parse_shape(shape, "MNK");
  const char* names[] = {"M", "N", "K"};
  problem_size sizes;
  for (int i = 0; i < 3; ++i) {
    if (mnk[static_cast<std::size_t>(i)] > std::numeric_limits<int>::max())
      throw input_error(fmt::format("--shape {}: {} is larger than any tensor", shape, names[i]));
    sizes.set(i, {mode_named(names[i]), static_cast<int>(mnk[static_cast<std::size_t>(i)])});
  }
  return sizes;
}

std::string tile_text(const configuration& c) {
  return fmt::format("{} x {} x {}", c.tile.of(mode_named("M")), c.tile.of(mode_named("N")),
                     c.tile.of(mode_named("K")));
}

}  // namespace

const shipped_family& find_family(std::string_view kernel) {
  for (const shipped_family& f : families)
    if (f.kernel == kernel) return f;
  throw input_error(
      fmt::format("{} is shipped in one configuration, which every launch takes; --shape is for families: {}", kernel,
                  families[0].kernel));
}

std::string choice_text(const shipped_family& family, const std::string& shape) {
  const problem_size sizes = sizes_of_shape(shape);
  const gpu_constants& gpu = constants_of("NVIDIA H200");
  const family_facts& f = *family.facts;
  const double bytes = bytes_of(*f.operands, sizes);
  const member_choice choice = choose(f, sizes, gpu);
  std::vector<predicted_time> times;
  for (int i = 0; i < f.count; ++i) times.push_back(predict(f.members[i], sizes, bytes, gpu));
  std::vector<int> order(times.size());
  std::iota(order.begin(), order.end(), 0);
  const auto time_of = [&](int i) { return times[static_cast<std::size_t>(i)].microseconds; };
  std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return time_of(a) < time_of(b); });

  std::string text = fmt::format("{} of {}, {} members; M x N x K = {}, on an {}: a launch takes member {}, {}.\n\n",
                                 family.type, family.header, f.count, shape, gpu.name, choice.member,
                                 choice.measured ? "which was measured to be the fastest" : "as the cost model says");
  text += fmt::format("  {:>6}  {:<15}  {:>6}  {:<7}  {:>5}  {:>11}  {:<21}  {:>8}  {:>8}  {:>9}\n", "member", "tile",
                      "stages", "cluster", "waves", "trip cycles", "which wait for", "SMs us", "mem. us", "predicted");
  constexpr std::size_t shown = 6;
  for (std::size_t n = 0; n < std::min(shown, order.size()); ++n) {
    const configuration& c = family.members[static_cast<std::size_t>(order[n])];
    const predicted_time& t = times[static_cast<std::size_t>(order[n])];
    text += fmt::format("  {:>6}  {:<15}  {:>6}  {:<7}  {:>5.0f}  {:>11.0f}  {:<21}  {:>8.1f}  {:>8.1f}  {:>6.1f} us\n",
                        order[n], tile_text(c), c.stages, fmt::format("{} x {}", c.cluster.rows, c.cluster.cols),
                        t.waves, t.trip_cycles, t.slowest, t.computing, t.copying, t.microseconds);
  }
  return text;
}

}  // namespace sectile::tool
