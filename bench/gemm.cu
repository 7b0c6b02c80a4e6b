// C = A B^T in bf16: the gemm_bf16 kernel against cuBLASLt, on one GPU.
//
//   bench_gemm [--shapes MxNxK,...] [--rounds N] [--repeats N] [--json FILE]
//
// Up to eight algorithms that cuBLASLt's heuristic proposes are tried for each shape. Ours, the fastest of those and
// the heuristic's first choice are then timed in turns, on the same random data; inputs that would fit in the L2 cache
// are rotated among several sets. Every result is compared with cuBLASLt's. The exit code is 1 if one differs.
// --repeats measures everything so many times; --json writes docs/measured/gemm.json.
#include <sectile/dsl/launch/launch.hpp>
#include <sectile/kernels/gemm.hpp>

#include <cstdio>
#include <exception>
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
using kernel = sectile::kernels::gemm_bf16;

constexpr double error_bar = 3e-3;  // both round the same sums to 8 bits, so they differ where the sums straddle a tie

const std::vector<shape> shapes{{1024, 1024, 1024},  {2048, 2048, 2048},  {4096, 4096, 4096},  {8192, 8192, 8192},
                                {4096, 14336, 4096}, {8192, 28672, 8192}, {4096, 4096, 14336}, {4096, 24576, 1536}};

struct outcome {
  shape size;
  race_time ours, best, first;
  std::size_t best_candidate = 0, candidates = 0;
  double error = 0;

  bool right() const { return error <= error_bar; }  // false for NaN
  double tflops(const race_time& t) const { return size.flops() / t.median * 1e-9; }
  double ratio() const { return best.median / ours.median; }
};

using operand_set = operands<bf16, bf16, bf16>;

outcome measure(const shape& s, int rounds, const stream& on) {
  auto sets = make_sets<operand_set>(s);
  const lt_product lt(s.m, s.n, s.k);
  const auto ours = [](const operand_set& set, cudaStream_t to) { set.by<kernel>(to); };
  const auto candidate = [&](std::size_t i) {
    return [&lt, i](const operand_set& set, cudaStream_t to) { set.by(lt, i, to); };
  };
  outcome result{s, {}, {}, {}, 0, lt.candidates.size(), worst_error(sets, on, ours, candidate(0))};
  result.best_candidate = fastest_candidate(sets, lt, on);
  const std::vector<race_time> times =
      race({rotating(sets, ours), rotating(sets, candidate(result.best_candidate)), rotating(sets, candidate(0))}, on,
           {.rounds = rounds});
  result.ours = times[0];
  result.best = times[1];
  result.first = times[2];
  return result;
}

/// Microseconds of the host for one call.
struct host_costs {
  double ours, theirs;
};

host_costs measure_host(const stream& on) {
  const shape small{128, 256, 64};
  const operand_set set(small, 1);
  const lt_product lt(small.m, small.n, small.k);
  return {host_microseconds(on, [&](int) { set.by<kernel>(on.handle); }),
          host_microseconds(on, [&](int) { set.by(lt, 0, on.handle); })};
}

void print_head(const machine& m) {
  std::printf("%s, cuBLASLt %zu\n", m.text().c_str(), cublasLtGetVersion());
  std::printf(
      "C = A B^T, bf16 in and out, f32 sums, standard-normal data; medians. ratio: time of cuBLASLt's best over "
      "ours\n\n");
  std::printf("%6s %6s %6s | %9s %7s | %9s %7s %6s | %9s %7s | %6s %7s | %9s\n", "M", "N", "K", "ours us", "TFLOP/s",
              "Lt best", "TFLOP/s", "choice", "Lt first", "TFLOP/s", "ratio", "spread", "rel. err.");
}

void print_row(const outcome& o) {
  const auto us = [](const race_time& t) { return t.median * 1e3; };
  std::printf("%6lld %6lld %6lld | %9.2f %7.1f | %9.2f %7.1f %2zu of %zu | %9.2f %7.1f | %6.3f %5.1f %% | %9.2e%s\n",
              static_cast<long long>(o.size.m), static_cast<long long>(o.size.n), static_cast<long long>(o.size.k),
              us(o.ours), o.tflops(o.ours), us(o.best), o.tflops(o.best), o.best_candidate + 1, o.candidates,
              us(o.first), o.tflops(o.first), o.ratio(), spread_percent(o.ours), o.error, o.right() ? "" : "  WRONG");
  std::fflush(stdout);
}

/// How the output's tiles fall on the SMs: the kernel's tiles of C, the waves in which they are made, and how full the
/// last one is, in percent.
void set_waves(measured_row& row, const shape& s, const machine& m) {
  constexpr sectile::operand_facts c = sectile::operand_facts_of<kernel, 2>();
  const std::int64_t tiles = (s.m + c.rows() - 1) / c.rows() * ((s.n + c.cols() - 1) / c.cols());
  const std::int64_t waves = (tiles + m.multiprocessors - 1) / m.multiprocessors;
  const std::int64_t last = tiles - (waves - 1) * m.multiprocessors;
  row.set("tiles", static_cast<double>(tiles));
  row.set("waves", static_cast<double>(waves));
  row.set("last_wave_percent", 100.0 * static_cast<double>(last) / m.multiprocessors);
}

/// The row of a shape: what varies from repeat to repeat as a list.
measured_row row_of(const std::vector<outcome>& repeats, const machine& m) {
  const outcome& first = repeats.front();
  const auto each = [&](auto value) {
    std::vector<double> all;
    for (const outcome& o : repeats) all.push_back(value(o));
    return all;
  };
  measured_row row{first.size.text(), first.size.text(" x ")};
  row.set("tflops", each([](const outcome& o) { return o.tflops(o.ours); }));
  row.set("ratio", each([](const outcome& o) { return o.ratio(); }));
  row.set("cublaslt_tflops", each([](const outcome& o) { return o.tflops(o.best); }));
  row.set("first_choice_tflops", each([](const outcome& o) { return o.tflops(o.first); }));
  row.set("us", each([](const outcome& o) { return o.ours.median * 1e3; }));
  row.set("spread_percent", each([](const outcome& o) { return spread_percent(o.ours); }));
  row.set("relative_error", each([](const outcome& o) { return o.error; }));
  set_waves(row, first.size, m);
  return row;
}

void write_json(const machine& m, const options& how, const host_costs& host,
                const std::vector<std::vector<outcome>>& outcomes) {
  measured_file file{.title = "bf16 GEMM against cuBLASLt",
                     .device = m.device(),
                     .software = m.software() + ", cuBLASLt " + library_version(cublasLtGetVersion()),
                     .command = how.command,
                     .rounds = how.rounds,
                     .columns = {{"tflops", "TFLOP/s"}, {"ratio", "ratio", 3}}};
  for (const std::vector<outcome>& repeats : outcomes) file.rows.push_back(row_of(repeats, m));
  measured_row launch{"launch", "host time of one launch"};
  launch.set("us", host.ours);
  launch.set("cublaslt_us", host.theirs);
  file.rows.push_back(launch);
  file.write(how.json);
}

int run(const options& how) {
  const machine m = this_machine();
  print_head(m);
  const stream on;
  std::vector<std::vector<outcome>> outcomes(how.shapes.size());
  bool right = true;
  for (int repeat = 0; repeat < how.repeats; ++repeat)
    for (std::size_t i = 0; i < how.shapes.size(); ++i) {
      outcomes[i].push_back(measure(how.shapes[i], how.rounds, on));
      print_row(outcomes[i].back());
      right = right && outcomes[i].back().right();
    }
  const host_costs host = measure_host(on);
  std::printf("\nA launch costs the host %.1f us, a call of cuBLASLt %.1f us.\n", host.ours, host.theirs);
  if (!how.json.empty()) write_json(m, how, host, outcomes);
  if (!right) std::printf("WRONG RESULTS: see the rows above; the bar is %.0e\n", error_bar);
  return right ? 0 : 1;
}

}  // namespace

int main(int count, char** words) {
  try {
    return run(read_options(count, words, {.repeats = true},
                            {.shapes = shapes, .json = "", .only = "", .command = command_of(count, words)}));
  } catch (const std::exception& e) {
    std::fprintf(stderr, "bench_gemm: %s\n", e.what());
    return 2;
  }
}
