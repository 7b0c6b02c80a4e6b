#include "tool/tune/quality.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "tool/tune/measured_family.hpp"
#include "tool/tune/measuring.hpp"
#include "tool/tune/shapes.hpp"

namespace sectile::tool {
namespace {

/// A member that was not measured counts as the slowest of those that were.
judged_pick judge(const timed_problem& p, int member, int best) {
  std::optional<double> us = p.us[static_cast<std::size_t>(member)];
  if (!us)
    us = *std::ranges::max_element(p.us, [](const auto& a, const auto& b) { return a.value_or(0) < b.value_or(0); });
  return {member, *p.us[static_cast<std::size_t>(best)] / *us};
}

double geometric_mean(const std::vector<judged_problem>& all, judged_pick judged_problem::*pick) {
  double sum = 0;
  for (const judged_problem& p : all) sum += std::log((p.*pick).quality);
  return all.empty() ? 1 : std::exp(sum / static_cast<double>(all.size()));
}

}  // namespace

std::vector<judged_problem> judge_picks(const shipped_family& family, const tuning_table& measured) {
  const gpu_constants& gpu = own_constants(measured.head.gpu, measured.head.gpu);
  picking_table data;
  make_picking_table(data, family, measured, gpu);
  const auto pick = [&](const problem_size& sizes, const measured_table* table) {
    family_facts facts = *family.facts;
    facts.tables = table;
    facts.table_count = table ? 1 : 0;
    return choose(facts, sizes, gpu, any_workspace).member;
  };
  std::vector<judged_problem> all;
  for (std::size_t i = 0; i < data.shapes.size(); ++i) {
    const timed_problem& p = measured.problems[data.problem[i]];
    std::vector<measured_shape> others = data.shapes;
    others.erase(others.begin() + static_cast<std::ptrdiff_t>(i));
    measured_table without = data.table;
    without.shapes = others.data();
    without.count = static_cast<int>(others.size());
    judged_problem& j = all.emplace_back();
    j.sizes = p.sizes;
    j.best = data.shapes[i].best;
    j.model = judge(p, pick(p.sizes, nullptr), j.best);
    j.table = judge(p, pick(p.sizes, &data.table), j.best);
    j.left_out = judge(p, pick(p.sizes, &without), j.best);
  }
  return all;
}

std::string quality_text(const shipped_family& family, const tuning_table& measured) {
  std::vector<judged_problem> all = judge_picks(family, measured);
  const table_head& head = measured.head;
  std::size_t skipped = 0;
  for (const timed_problem& p : measured.problems)
    skipped += static_cast<std::size_t>(std::ranges::count_if(p.us, [](const auto& us) { return !us; }));
  std::string text = fmt::format(
      "{} on an {}, {}: {} problems, {} members\n{} of {} times were not taken: the model predicts more than {:g} "
      "times the least there, or the member came later\n",
      head.kernel, head.gpu, head.date, all.size(), head.members.size(), skipped, all.size() * head.members.size(),
      worth_measuring);
  text += fmt::format(
      "the best member's time over the pick's, geometric mean:\n"
      "  {:.4f}  by the cost model alone\n  {:.4f}  by the table\n  {:.4f}  by the table without the problem itself\n",
      geometric_mean(all, &judged_problem::model), geometric_mean(all, &judged_problem::table),
      geometric_mean(all, &judged_problem::left_out));
  std::ranges::stable_sort(all, {}, [](const judged_problem& p) { return p.left_out.quality; });
  constexpr std::size_t shown = 5;
  text += fmt::format("the worst of the last:\n");
  for (std::size_t i = 0; i < std::min(shown, all.size()); ++i) {
    const judged_problem& p = all[i];
    const auto name = [&](int m) { return fmt::format("{} ({})", m, head.members[static_cast<std::size_t>(m)]); };
    text += fmt::format("  {:.3f}  {:<18}  picks {}, best is {}\n", p.left_out.quality, sizes_text(p.sizes, head.modes),
                        name(p.left_out.member), name(p.best));
  }
  return text;
}

}  // namespace sectile::tool
