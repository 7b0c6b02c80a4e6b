#include <fmt/format.h>

#include <cmath>

#include "bench/measured_file.hpp"
#include "tool/commands/commands.hpp"
#include "tool/files.hpp"
#include "tool/kernel_list.hpp"
#include "tool/tune/gpu_race.hpp"
#include "tool/tune/shapes.hpp"

namespace sectile::tool {
namespace {

struct raced_problem {
  problem_size sizes{};
  race_outcome outcome{};
};

/// exp of the mean of log(ratio(o)) over those that have one; 0 where none has.
template <class Ratio>
double mean_ratio(const std::vector<raced_problem>& all, const Ratio& ratio) {
  double sum = 0, count = 0;
  for (const raced_problem& p : all)
    if (const double x = ratio(p.outcome); x > 0) sum += std::log(x), ++count;
  return count > 0 ? std::exp(sum / count) : 0;
}
double pick_ratio(const race_outcome& o) { return o.lt_best / o.picked; }
double best_ratio(const race_outcome& o) { return o.lt_best / o.best_time; }
double first_choice_ratio(const race_outcome& o) { return o.lt_first / o.picked; }
double pick_to_best(const race_outcome& o) { return o.best_time / o.picked; }

std::string ratio_text(double ratio) { return ratio > 0 ? fmt::format("{:.3f}", ratio) : "-"; }

std::string race_line(const shipped_family& family, const std::vector<mode_id>& modes, const raced_problem& p) {
  const race_outcome& o = p.outcome;
  const auto name = [&](int m) {
    return fmt::format("{} {}", m, member_text(family.members[static_cast<std::size_t>(m)], modes));
  };
  const std::string lt = o.lt_best > 0 ? fmt::format("{:.2f}", o.lt_best) : "-";
  return fmt::format("{:<18}  {:>9}  {:>9.2f} {:>6}  {:<34}  {:>9.2f} {:>6}  {:<34}  {:.3f}{}\n",
                     sizes_text(p.sizes, modes), lt, o.picked, ratio_text(pick_ratio(o)), name(o.pick), o.best_time,
                     ratio_text(best_ratio(o)), name(o.best), pick_to_best(o), o.right() ? "" : "  WRONG");
}

void write_race(const bench_options& options, const gpu_race& gpu, const shipped_family& family,
                const std::vector<mode_id>& modes, const std::vector<raced_problem>& all) {
  bench::measured_file file{.title = fmt::format("{} against cuBLASLt", family.type),
                            .device = gpu.machine(),
                            .software = fmt::format("{}, cuBLASLt {}", gpu.software(), gpu.peer()),
                            .command = fmt::format("sectile bench {}", family.kernel),
                            .rounds = options.rounds,
                            .columns = {{"ratio", "ratio", 3}, {"best_ratio", "best member", 3}}};
  if (options.shapes) file.command += " --shapes " + *options.shapes;
  file.command += fmt::format(" --rounds {}", options.rounds);
  for (const auto& [sizes, o] : all) {
    bench::measured_row row{sizes_text(sizes, modes), sizes_text(sizes, modes, " x ")};
    row.set("us", o.picked);
    if (o.lt_best > 0) {
      row.set("ratio", pick_ratio(o));
      row.set("best_ratio", best_ratio(o));
      row.set("first_choice_ratio", first_choice_ratio(o));
    }
    row.set("pick_to_best", pick_to_best(o));
    row.set("member", o.pick);
    row.set("best_member", o.best);
    row.set("relative_error", o.error);
    file.rows.push_back(row);
  }
  bench::measured_row mean{"mean", "geometric mean"};
  if (mean_ratio(all, pick_ratio) > 0) {
    mean.set("ratio", mean_ratio(all, pick_ratio));
    mean.set("best_ratio", mean_ratio(all, best_ratio));
    mean.set("first_choice_ratio", mean_ratio(all, first_choice_ratio));
  }
  mean.set("pick_to_best", mean_ratio(all, pick_to_best));
  file.rows.push_back(mean);
  write_text(*options.json, file.text());
}

}  // namespace

exit_status race_family(const bench_options& options) {
  const shipped_family& family = find_family(find_kernel(options.kernel).name, "bench");
  const operand_table& operands = *family.facts->operands;
  const std::vector<mode_id> modes = modes_of(operands);
  const std::vector<problem_size> problems = problems_asked(options.shapes, modes, problems_to_race);
  for (const problem_size& sizes : problems) require_taken(operands, sizes);
  if (options.json) require_writable(*options.json);
  gpu_race gpu(family);
  for (const problem_size& sizes : problems) gpu.require_room(sizes);
  fmt::print(
      "{} on {}, {}, cuBLASLt {}\nratios: cuBLASLt's best time over ours; last: the best member's over the pick's\n\n",
      family.kernel, gpu.machine(), gpu.software(), gpu.peer());
  fmt::print("{:<18}  {:>9}  {:>9} {:>6}  {:<34}  {:>9} {:>6}  {:<34}\n", "", "cuBLASLt", "pick us", "ratio", "member",
             "best us", "ratio", "member");
  std::vector<raced_problem> all;
  bool right = true;
  for (const problem_size& sizes : problems) {
    const gpu_constants& constants = constants_of(gpu.gpu().c_str());
    const int pick = choose(*family.facts, sizes, constants, any_workspace).member;
    all.push_back({sizes, gpu.race(sizes, pick, options.rounds)});
    fmt::print("{}", race_line(family, modes, all.back()));
    std::fflush(stdout);
    right = right && all.back().outcome.right();
  }
  fmt::print(
      "\ngeometric means of {} problems: the pick {} (to cuBLASLt's first choice {}), the best member {}, pick to best "
      "{:.3f}\n",
      all.size(), ratio_text(mean_ratio(all, pick_ratio)), ratio_text(mean_ratio(all, first_choice_ratio)),
      ratio_text(mean_ratio(all, best_ratio)), mean_ratio(all, pick_to_best));
  if (options.json) write_race(options, gpu, family, modes, all);
  if (!right) fmt::print("WRONG RESULTS: see the rows above\n");
  return right ? success : failed;
}

}  // namespace sectile::tool
