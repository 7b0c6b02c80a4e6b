#include "tool/family_list.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "tool/input_error.hpp"
#include "tool/tune/shapes.hpp"

namespace sectile::tool {
namespace {

const char* reason_text(choice_reason why) {
  switch (why) {
    case choice_reason::measured:
      return "which was measured to be the fastest";
    case choice_reason::corrected:
      return "as the cost model says, corrected by what was measured for similar sizes";
    case choice_reason::model:
      break;
  }
  return "as the cost model says";
}

/// "M x N x K"
std::string names_of(std::span<const mode_id> modes) {
  std::string text;
  for (const mode_id m : modes) text += fmt::format("{}{}", text.empty() ? "" : " x ", text_of(m).text);
  return text;
}

}  // namespace

const shipped_family& find_family(std::string_view kernel, std::string_view asked_by) {
  std::vector<std::string_view> names;
  for (const shipped_family* f : shipped_families()) {
    if (f->kernel == kernel) return *f;
    names.push_back(f->kernel);
  }
  throw input_error(fmt::format("{} is no family of this build; {} is for families: {} (-DSECTILE_TOOL_FAMILIES)",
                                kernel, asked_by, fmt::join(names, ", ")));
}

std::vector<mode_id> modes_of(const operand_table& operands) {
  std::vector<mode_id> all;
  for (const operand_kind kind : {operand_kind::output, operand_kind::input})
    for (int o = 0; o < operands.count; ++o)
      for (int d = 0; operands.at[o].kind == kind && d < operands.at[o].tile.rank; ++d)
        if (const mode_id m = without_prime(operands.at[o].mode_at(d)); std::ranges::count(all, m) == 0)
          all.push_back(m);
  return all;
}

std::int64_t extent_along(const plan& p, int o, int d, const problem_size& sizes) {
  const operand_facts& f = p.operand[o].facts;
  if (const counted_tiles t = tiles_counted(p, o, d); t.extent > 0) return t.count(sizes.of(t.along));
  return f.elements_for(sizes.of(f.mode_at(d)), d);
}

std::string member_text(const configuration& c, std::span<const mode_id> modes) {
  std::string text;
  for (const mode_id m : modes) text += fmt::format("{}{}", text.empty() ? "" : "x", std::max(1, c.tile.of(m)));
  text += fmt::format(" s{} c{}x{}", c.stages, c.cluster.rows, c.cluster.cols);
  if (c.split > 1) text += fmt::format(" split {}{}", c.split, c.apart ? " apart" : "");
  if (c.fan_in > 0) text += fmt::format(" by {}", c.fan_in);
  if (c.persistent) text += c.dynamic ? " dynamic" : " persistent";
  if (c.streamed) text += " streamed";
  if (c.pingpong) text += c.full_turns ? " pingpong, full turns" : " pingpong";
  if (c.own_tiles) text += " own tiles";
  if (c.abreast) text += " abreast";
  if (c.swap) text += " swap";
  if (c.overlap == launch_overlap::prologue) text += " overlap";
  if (c.overlap == launch_overlap::both) text += " overlap both";
  return text;
}

std::string choice_text(const shipped_family& family, const std::string& shape) {
  const family_facts& f = *family.facts;
  const std::vector<mode_id> modes = modes_of(*f.operands);
  problem_size sizes;
  try {
    sizes = parse_sizes(shape, modes);
  } catch (const input_error& error) {
    throw input_error(fmt::format("--shape: {}", error.what()));
  }
  const gpu_constants& gpu = constants_of("NVIDIA H200");
  const member_choice choice = choose(f, sizes, gpu, any_workspace);
  const predictor predicted(*f.operands, sizes, gpu);
  std::vector<predicted_time> times;
  for (int i = 0; i < f.count; ++i) times.push_back(predicted.explained(f.members[i]));
  std::vector<int> order(times.size());
  std::iota(order.begin(), order.end(), 0);
  const auto time_of = [&](int i) { return times[static_cast<std::size_t>(i)].microseconds; };
  std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return time_of(a) < time_of(b); });

  const auto text_of_member = [&](int i) { return member_text(family.members[static_cast<std::size_t>(i)], modes); };
  std::string text = fmt::format("{} of {}, {} members; {} = {}, on an {}: a launch takes member {} ({}), {}.\n\n",
                                 family.type, family.header, f.count, names_of(modes), shape, gpu.name, choice.member,
                                 text_of_member(choice.member), reason_text(choice.why));
  if (const double bytes = predicted.workspace_bytes(f.members[choice.member]); bytes > 0)
    text.insert(text.size() - 2, fmt::format(" It needs a workspace of {:.0f} bytes.", bytes));
  text += fmt::format("  {:>6}  {:<47}  {:>5}  {:>11}  {:<21}  {:>8}  {:>8}  {:>9}\n", "member", "configuration",
                      "waves", "trip cycles", "which wait for", "SMs us", "mem. us", "predicted");
  constexpr std::size_t shown = 6;
  for (std::size_t n = 0; n < std::min(shown, order.size()); ++n) {
    const predicted_time& t = times[static_cast<std::size_t>(order[n])];
    text += fmt::format("  {:>6}  {:<47}  {:>5.0f}  {:>11.0f}  {:<21}  {:>8.1f}  {:>8.1f}  {:>6.1f} us\n", order[n],
                        text_of_member(order[n]), t.waves, t.trip_cycles, t.slowest, t.computing, t.copying,
                        t.microseconds);
  }
  return text;
}

}  // namespace sectile::tool
