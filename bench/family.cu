// The family of bf16 GEMMs against cuBLASLt, on one GPU: what a launch picks, how far that is from the best member, and
// how far both are from cuBLASLt's best.
//
//   bench_family [--shapes MxNxK,...] [--rounds N] [--json FILE]
//
// Without --shapes: 20 shapes that people use, and 40 at random (M log-uniform from 1 to 16384, N a multiple of 16 up
// to 32768, K a multiple of 16 up to 16384; the seed is fixed). All 24 members, the fastest of up to eight algorithms
// of cuBLASLt's heuristic and its first choice are timed in turns on the same random data, with a cold L2 cache. What
// the pick computes is compared with cuBLASLt's result. The exit code is 1 if one differs.
#include <sectile/dsl/launch/launch.hpp>
#include <sectile/kernels/gemm_family.hpp>

#include <cmath>
#include <cstdio>
#include <exception>
#include <random>
#include <string>
#include <vector>

#include "bench/command_line.hpp"
#include "bench/cublaslt.hpp"
#include "bench/operands.hpp"
#include "bench/report.hpp"
#include "bench/timing.hpp"

namespace {

using namespace sectile::bench;
using sectile::bf16;
using family = sectile::kernels::gemm_bf16_family;
using operand_set = operands<bf16, bf16, bf16>;

constexpr double error_bar = 3e-3;  // both round the same sums to 8 bits, so they differ where the sums straddle a tie

std::vector<shape> default_shapes() {
  std::vector<shape> all{{256, 256, 256},     {512, 512, 512},     {1024, 1024, 1024}, {1536, 1536, 1536},
                         {2048, 2048, 2048},  {3072, 3072, 3072},  {4096, 4096, 4096}, {8192, 8192, 8192},
                         {5120, 5120, 5120},  {4096, 24576, 1536}, {4096, 32768, 512}, {64, 28672, 8192},
                         {128, 8192, 28672},  {256, 7168, 16384},  {4096, 2112, 7168}, {16, 16384, 4096},
                         {1000, 4000, 12288}, {8, 8192, 8192},     {32, 4096, 14336},  {152, 12208, 2048}};
  std::mt19937_64 random(12);
  const auto uniform = [&] { return static_cast<double>(random() >> 11) * 0x1p-53; };  // the same everywhere
  for (int i = 0; i < 40; ++i) {
    const auto m = static_cast<std::int64_t>(std::lround(std::exp2(14 * uniform())));
    const auto n = 16 * (1 + static_cast<std::int64_t>(2048 * uniform()));
    const auto k = 16 * (1 + static_cast<std::int64_t>(1024 * uniform()));
    all.push_back({m, n, k});
  }
  return all;
}

using launcher = void (*)(const operand_set&, cudaStream_t);
template <int I>
void by_member(const operand_set& set, cudaStream_t on) {
  set.by<sectile::member<family, I>>(on);
}
template <int... I>
std::vector<launcher> launchers(std::integer_sequence<int, I...>) {
  return {by_member<I>...};
}

struct outcome {
  shape size;
  double lt_best = 0, lt_first = 0, picked = 0, best = 0;  // milliseconds
  int pick = 0, best_member = 0;
  double error = 0;

  bool right() const { return error <= error_bar; }  // false for NaN
};

outcome measure(const shape& s, int rounds, const stream& on, const sectile::gpu_constants& gpu) {
  auto sets = make_sets<operand_set>(s);
  const lt_product lt(s.m, s.n, s.k);
  const auto theirs = [&](std::size_t i) {
    return [&lt, i](const operand_set& set, cudaStream_t to) { set.by(lt, i, to); };
  };
  outcome o{.size = s};
  o.error = worst_error(
      sets, on, [](const operand_set& set, cudaStream_t to) { set.by<family>(to); }, theirs(0));
  std::vector<contestant> all{rotating(sets, theirs(fastest_candidate(sets, lt, on))), rotating(sets, theirs(0))};
  static const std::vector<launcher> members = launchers(sectile::member_numbers<family>{});
  for (const launcher member : members) all.push_back(rotating(sets, member));
  const std::vector<race_time> times =
      race(all, on, {.rounds = rounds, .milliseconds_per_turn = 6, .min_repetitions = 2});
  o.lt_best = times[0].median;
  o.lt_first = times[1].median;
  const std::vector<race_time> ours(times.begin() + 2, times.end());
  o.best_member = static_cast<int>(fastest_of(ours));
  o.best = ours[static_cast<std::size_t>(o.best_member)].median;
  o.pick =
      sectile::choose(sectile::family_facts_of<family>,
                      {{"M", static_cast<int>(s.m)}, {"N", static_cast<int>(s.n)}, {"K", static_cast<int>(s.k)}}, gpu)
          .member;
  o.picked = ours[static_cast<std::size_t>(o.pick)].median;
  return o;
}

std::string member_text(int i) {
  const sectile::configuration c = family::how.at[i];
  return std::to_string(c.tile.of(sectile::mode_named("M"))) + "x" +
         std::to_string(c.tile.of(sectile::mode_named("N"))) + "x" +
         std::to_string(c.tile.of(sectile::mode_named("K"))) + " s" + std::to_string(c.stages) + " c" +
         std::to_string(c.cluster.rows) + "x" + std::to_string(c.cluster.cols);
}

void print_row(const outcome& o) {
  std::printf("%-20s | Lt %9.2f us | pick %2d %-22s %9.2f us %6.3f | best %2d %-22s %9.2f us %6.3f | %6.3f%s\n",
              o.size.text().c_str(), o.lt_best * 1e3, o.pick, member_text(o.pick).c_str(), o.picked * 1e3,
              o.lt_best / o.picked, o.best_member, member_text(o.best_member).c_str(), o.best * 1e3, o.lt_best / o.best,
              o.best / o.picked, o.right() ? "" : "  WRONG");
  std::fflush(stdout);
}

/// exp of the mean of log(ratio(o)).
template <class Ratio>
double geometric_mean(const std::vector<outcome>& all, const Ratio& ratio) {
  double sum = 0;
  for (const outcome& o : all) sum += std::log(ratio(o));
  return std::exp(sum / static_cast<double>(all.size()));
}

void write_json(const machine& m, const options& how, const std::vector<outcome>& all) {
  measured_file file{.title = "A family of bf16 GEMMs against cuBLASLt",
                     .device = m.device(),
                     .software = m.software() + ", cuBLASLt " + library_version(cublasLtGetVersion()),
                     .command = how.command,
                     .rounds = how.rounds,
                     .columns = {{"ratio", "ratio", 3}, {"best_ratio", "best member", 3}}};
  for (const outcome& o : all) {
    measured_row row{o.size.text(), o.size.text(" x ")};
    row.set("us", o.picked * 1e3);
    row.set("ratio", o.lt_best / o.picked);
    row.set("best_ratio", o.lt_best / o.best);
    row.set("first_choice_ratio", o.lt_first / o.picked);
    row.set("member", o.pick);
    row.set("best_member", o.best_member);
    row.set("relative_error", o.error);
    file.rows.push_back(row);
  }
  measured_row mean{"mean", "geometric mean"};
  mean.set("ratio", geometric_mean(all, [](const outcome& o) { return o.lt_best / o.picked; }));
  mean.set("best_ratio", geometric_mean(all, [](const outcome& o) { return o.lt_best / o.best; }));
  mean.set("first_choice_ratio", geometric_mean(all, [](const outcome& o) { return o.lt_first / o.picked; }));
  mean.set("pick_to_best", geometric_mean(all, [](const outcome& o) { return o.best / o.picked; }));
  file.rows.push_back(mean);
  file.write(how.json);
}

int run(const options& how) {
  const machine m = this_machine();
  std::printf(
      "%s, cuBLASLt %zu\nratios: time of cuBLASLt's best over ours; last: the best member's time over the "
      "pick's\n\n",
      m.text().c_str(), cublasLtGetVersion());
  const stream on;
  const sectile::gpu_constants& gpu = sectile::hopper::current_constants();
  std::vector<outcome> all;
  bool right = true;
  for (const shape& s : how.shapes) {
    all.push_back(measure(s, how.rounds, on, gpu));
    print_row(all.back());
    right = right && all.back().right();
  }
  std::printf(
      "\ngeometric means of %zu shapes: the pick %.3f (to cuBLASLt's first choice %.3f), the best member %.3f, "
      "pick to best %.3f\n",
      all.size(), geometric_mean(all, [](const outcome& o) { return o.lt_best / o.picked; }),
      geometric_mean(all, [](const outcome& o) { return o.lt_first / o.picked; }),
      geometric_mean(all, [](const outcome& o) { return o.lt_best / o.best; }),
      geometric_mean(all, [](const outcome& o) { return o.best / o.picked; }));
  if (!how.json.empty()) write_json(m, how, all);
  if (!right) std::printf("WRONG RESULTS: see the rows above; the bar is %.0e\n", error_bar);
  return right ? 0 : 1;
}

}  // namespace

int main(int count, char** words) {
  try {
    return run(read_options(
        count, words, {.multiple = {1, 8, 8}},
        {.shapes = default_shapes(), .rounds = 5, .json = "", .only = "", .command = command_of(count, words)}));
  } catch (const std::exception& e) {
    std::fprintf(stderr, "bench_family: %s\n", e.what());
    return 2;
  }
}
